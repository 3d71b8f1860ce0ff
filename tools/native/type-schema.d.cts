import type { ValueType } from "../../src/definition/types";

export function typeOf(type: ValueType, name: string, comment: object, types: object): object;
