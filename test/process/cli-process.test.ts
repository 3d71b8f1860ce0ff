import { asksForDebugMessages } from "../../src/process/cli-process";

it.each(["--debug", "--debug=true", "-d", "-yd", "-dfy"])("%s asks for debug messages", (flag) => {
  expect(asksForDebugMessages(["pulumi", "up", flag, ""])).toBe(true);
});

it.each(["--debug=false", "--diff", "-y", "-sdev", "debug", "--debug-provider"])("%s asks for none", (flag) => {
  expect(asksForDebugMessages(["pulumi", "up", flag, ""])).toBe(false);
});
