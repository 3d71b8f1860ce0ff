export function processIds(): number[];
export function readProc(pid: number, file: string): string;
export function statusOf(pid: number): { readonly parent: number };
