/** The ground and the letters of charts: those of the other pictures of the documentation. */
export const [PAPER, INK, MUTED, RULE] = ["#0d1117", "#e6edf3", "#9198a1", "#30363d"];
export const FONT = "system-ui, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, sans-serif";

/**
 * The programs, in colours that differ for the colour-blind too (of Okabe and Ito's palette), and as lines in strokes and marks that
 * differ without any.
 */
export const SERIES = {
  package: { name: "this package", colour: "#56b4e9", dashes: "none", mark: "circle" },
  floor: { name: "floor: nothing is done", colour: "#a5adb8", dashes: "2 4", mark: "square" },
  plain: { name: "plain dynamic provider", colour: "#e69f00", dashes: "8 4", mark: "diamond" },
};

/** An element with its attributes; `content` is markup. */
export function element(name, attributes, content = "") {
  const written = Object.entries(attributes).map(([key, value]) => ` ${key}="${rounded(value)}"`);
  return content === "" ? `<${name}${written.join("")}/>` : `<${name}${written.join("")}>${content}</${name}>`;
}

/** Words on the picture. */
export function text(words, attributes) {
  return element("text", attributes, escaped(words));
}

function escaped(words) {
  return words.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}

function rounded(value) {
  return typeof value === "number" ? Number(value.toFixed(2)) : value;
}
