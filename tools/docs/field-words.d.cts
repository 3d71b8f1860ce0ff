import type { Field } from "../../src/definition/types";

export function typeWords(field: Field): string;
