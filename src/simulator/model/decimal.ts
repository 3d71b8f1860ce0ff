import { Decimal as DecimalJs } from "decimal.js";

/**
 * Decimals of more digits than any price or sum of prices has: the API's are of arbitrary precision (section 2.1), and
 * the library's default of 20 digits would round them.
 */
export const Decimal = DecimalJs.clone({ precision: 80 });

/** A Decimal (section 2.1). */
export type Decimal = DecimalJs;
