import { printable } from "../text/terminal-text";

/** Text that is HTML already. Only `html` makes it. */
class Markup {
  constructor(readonly text: string) {}
}

export type { Markup };

/** A value in a template: text, which is escaped, or markup, which is not. */
export type Content = string | number | Markup | readonly Markup[];

/** A template of HTML. It escapes every value, in text and in quoted attributes. */
export function html(template: TemplateStringsArray, ...contents: readonly Content[]): Markup {
  return new Markup(String.raw({ raw: template }, ...contents.map(textOf)));
}

/** A style sheet as the content of its element, where HTML knows no escapes. */
export function styleElement(css: string): Markup {
  return new Markup(`<style>${css}</style>`);
}

function textOf(content: Content): string {
  if (content instanceof Markup) return content.text;
  if (typeof content === "object") return content.map(({ text }) => text).join("\n");
  return printable(String(content)).replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
