import { join } from "node:path";
import { version } from "../../package.json";
import { fastStart } from "./support/fast-start";
import { counts, failed, succeeded } from "./support/output";
import { recorded, resume, type Recording } from "./support/recorded-states";
import { forSuite } from "../support/suite";

/** The state of this version, as if `tcp` had been called `stream` then. The API calls it `tcp`. */
function formerly({ objects, ...others }: Recording): Recording {
  return { objects, ...(JSON.parse(JSON.stringify(others).replaceAll(/\btcp\b/g, "stream")) as typeof others) };
}

const { changed } = recorded(version, "everyday");
const before = formerly(recorded(version, "everyday"));
const laterVersion = {
  NODE_OPTIONS: `${fastStart.NODE_OPTIONS} --require ${JSON.stringify(join(__dirname, "support", "later-version.cjs"))}`,
};
const unchanged = [expect.stringMatching(/^\d+ unchanged$/) as string];
const renamed = 'protocol: "stream" is now called "tcp". Both mean the same: write "tcp"';

describe.each(["pulumi-cloudinfra", "pulumi-cloudinfra/native"])(
  "a later version of %s with a new field and value",
  (name) => {
    const session = forSuite(() => resume(before, { env: laterVersion }));
    const write = (text: string): void =>
      session.stack.write(text.replace('"pulumi-cloudinfra"', JSON.stringify(name)));

    it("finds no difference in a state without its field", async () => {
      expect(counts(succeeded(await session.refresh()))).toEqual(unchanged);
      write(before.program);
      const output = succeeded(await session.stack.preview());
      expect(output).toContain(renamed);
      expect(output).not.toMatch(/logged|to create|to replace/);
    });

    it("accepts the new name of a renamed value", async () => {
      write(changed);
      const output = succeeded(await session.up());
      expect(output).not.toMatch(/replaced|created|deleted/);
      expect(output).not.toContain(renamed);
      write(before.changed);
      expect(counts(succeeded(await session.stack.preview()))).toEqual(unchanged);
    });

    it("sends its field once the program has it", async () => {
      write(changed.replaceAll("vpcId:", "logged: true, vpcId:"));
      expect(failed(await session.stack.preview())).toContain("logged");
    });
  },
);
