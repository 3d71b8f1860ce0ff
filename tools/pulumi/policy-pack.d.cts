/** Names the runtime of the policy pack in this folder as the engine on PATH needs it. */
export function fitPack(folder: string): void;
