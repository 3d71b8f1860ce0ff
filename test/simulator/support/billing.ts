import Decimal from "decimal.js";
import { seededIds } from "../../../src/simulator/model/catalogs";
import type { Harness, Json } from "./harness";

export const billing = `/v1/organizations/${seededIds.organization}/billing`;

/** The usage of one dimension over one time. */
export interface Leaf {
  readonly dimension: string;
  readonly quantity: number;
  readonly started_at: string;
  readonly ended_at: string | null;
  readonly children?: readonly Leaf[];
}

export const sum = (texts: readonly string[]): Decimal =>
  texts.reduce((total, text) => total.plus(text), new Decimal(0));

/** An amount as the API writes it. */
export const written = (value: Decimal): string => (value.decimalPlaces() < 2 ? value.toFixed(2) : value.toFixed());

/** Reads a statement, checks that all sums are right, and returns its total. */
export async function checkedTotal(api: Harness, month: string): Promise<Decimal> {
  const statement = await api.get(`${billing}/statements?month=${month}`);
  const projects = statement["projects"] as Json[];
  for (const project of projects) {
    const types = project["resource_types"] as Json[];
    for (const { items, subtotal } of types) {
      for (const item of items as Json[]) {
        const children = item["children"] as Json[];
        for (const line of children.length > 0 ? children : [item]) {
          const product = new Decimal(String(line["quantity_hours"])).times(String(line["unit_price"]));
          expect(String(line["cost"])).toBe(written(product));
        }
        if (children.length === 0) continue;
        expect(item["unit_price"]).toBeNull();
        expect(item["cost"]).toBe(written(sum(children.map(({ cost }) => String(cost)))));
      }
      expect(subtotal).toBe(written(sum((items as Json[]).map(({ cost }) => String(cost)))));
    }
    expect(project["subtotal"]).toBe(written(sum(types.map(({ subtotal }) => String(subtotal)))));
  }
  expect(statement["total"]).toBe(written(sum(projects.map(({ subtotal }) => String(subtotal)))));
  return new Decimal(String(statement["total"]));
}
