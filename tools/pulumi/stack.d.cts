export interface PulumiResult {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
  readonly output: string;
}

export interface StateResource {
  readonly urn: string;
  readonly id?: string;
  readonly type: string;
  readonly inputs?: Record<string, unknown>;
  readonly outputs?: Record<string, unknown>;
  readonly initErrors?: string[];
  readonly provider?: string;
}

export type ConfigValue = string | { readonly secret: string };

/** A YAML program with the first-class provider of this checkout. */
export interface YamlProgram {
  readonly resources: object;
  readonly variables?: object;
  readonly outputs?: object;
  /** Undefined: the engine looks for the plugin itself. */
  readonly plugins?: undefined;
}

/** A program in another language, with the first-class provider of this checkout. */
export interface ProgramFiles {
  readonly runtime: string | object;
  readonly files: Readonly<Record<string, string>>;
}

export class Stack {
  readonly folder: string;
  readonly name: string;
  readonly env: Record<string, string>;
  child?: import("node:child_process").ChildProcess;
  constructor(options: {
    readonly program:
      string | YamlProgram | ProgramFiles | { readonly folder: string; readonly entries: readonly string[] };
    readonly project?: string;
    readonly stack?: string;
    readonly env?: Readonly<Record<string, string | undefined>>;
    readonly folder?: string;
  });
  /** `saysPlugins`: false leaves out where the plugin is. */
  write(program: string | YamlProgram | ProgramFiles, options?: { readonly saysPlugins?: boolean }): void;
  init(config?: Readonly<Record<string, ConfigValue>>): Promise<this>;
  setConfig(key: string, value: ConfigValue): Promise<void>;
  preview(args?: readonly string[]): Promise<PulumiResult>;
  up(args?: readonly string[]): Promise<PulumiResult>;
  refresh(args?: readonly string[]): Promise<PulumiResult>;
  destroy(args?: readonly string[]): Promise<PulumiResult>;
  pulumi(
    args: readonly string[],
    options?: {
      readonly onOutput?: (text: string, stream: "stdout" | "stderr") => void;
      readonly onTerminal?: boolean;
      readonly env?: Readonly<Record<string, string>>;
    },
  ): Promise<PulumiResult>;
  outputs(): Promise<Record<string, unknown>>;
  resources(options?: { readonly showSecrets?: boolean }): Promise<Record<string, StateResource>>;
  importState(state: object): Promise<void>;
  files(): Record<string, string>;
  remove(): void;
}
