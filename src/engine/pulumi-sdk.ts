/**
 * The parts of Pulumi's SDK that programs, functions and lookups use. The whole SDK also loads a compiler and an
 * installer of packages, which takes a plugin half a second. Only components need the whole:
 * `src/native/component*.ts`, loaded at the first one.
 */
export { Config } from "@pulumi/pulumi/config";
export { RunError } from "@pulumi/pulumi/errors";
export type { InvokeOptions, InvokeOutputOptions } from "@pulumi/pulumi/invoke";
export * as log from "@pulumi/pulumi/log";
export { getProject, getRootDirectory, getStack } from "@pulumi/pulumi/metadata";
export * from "@pulumi/pulumi/output";
export * from "@pulumi/pulumi/resource";
export * from "@pulumi/pulumi/runtime/config";
export { invoke, invokeSingle } from "@pulumi/pulumi/runtime/invoke";
export { getMonitor, getOrganization, isDryRun } from "@pulumi/pulumi/runtime/settings";
export { getStackResource } from "@pulumi/pulumi/runtime/stack";
