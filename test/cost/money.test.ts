import { decimal, decimalText, dollars, percentText, signedDollars } from "../../src/cost/money";

describe("dollars", () => {
  it.each([
    ["0", "$0.00", "+$0.00"],
    ["-0", "$0.00", "+$0.00"],
    ["312.5", "$312.50", "+$312.50"],
    ["-3", "-$3.00", "-$3.00"],
    ["1000", "$1,000.00", "+$1,000.00"],
    ["-1234567.891", "-$1,234,567.89", "-$1,234,567.89"],
    ["0.005", "$0.01", "+$0.01"],
    ["0.0049", "<$0.01", "+<$0.01"],
    ["-0.0001", "-<$0.01", "-<$0.01"],
    ["99999999999999999999.994", "$99,999,999,999,999,999,999.99", "+$99,999,999,999,999,999,999.99"],
  ])("formats %s as %s", (amount, plain, signed) => {
    expect(dollars(decimal(amount))).toBe(plain);
    expect(signedDollars(decimal(amount))).toBe(signed);
  });

  it.each([
    ["1", "2", "+50%"],
    ["-1", "3", "-33.3%"],
    ["0.001", "100", "+<0.1%"],
    ["1000", "1", "+100,000%"],
    ["0", "3", undefined],
    ["3", "0", undefined],
  ])("prints a difference of %s from %s as %s", (difference, before, text) => {
    expect(percentText(decimal(difference), decimal(before))).toBe(text);
  });

  it.each([
    ["0", "0.00"],
    ["-0", "0.00"],
    ["312.5", "312.50"],
    ["-3", "-3.00"],
    ["0.010144", "0.010144"],
    ["572.800", "572.80"],
    ["0.00000000000000000001", "0.00000000000000000001"],
    ["123456789012345678901234567890.12", "123456789012345678901234567890.12"],
  ])("writes %s with at least two decimals: %s", (amount, text) => {
    expect(decimalText(decimal(amount))).toBe(text);
  });
});
