export class PluginMemory {
  readonly peakBytes: number | undefined;
  constructor(parent: () => number | undefined);
  stop(): void;
}
