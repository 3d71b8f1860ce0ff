export function today(): number;
export function moved(text: string, from: number, to: number): string;
