import * as pulumi from "@pulumi/pulumi";

const output: { toString(): string } = pulumi.output("value");

/** The SDK's text for an Output in a template: a sentence, not the value. */
export const OUTPUT_AS_TEXT = output.toString();
