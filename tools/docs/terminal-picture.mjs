#!/usr/bin/env node
import { readFileSync } from "node:fs";

// Draws the last screen of a recorded terminal session as SVG: `terminal-picture.mjs <recording> [title] >
// picture.svg`. It knows the control sequences of Pulumi's display, and fails at any other.

const COLOURS = { 1: "#f85149", 2: "#3fb950", 3: "#d29922", 5: "#bc8cff", 9: "#f85149", 12: "#79c0ff", 13: "#d2a8ff" };
/* eslint-disable no-control-regex -- terminals speak in control characters */
const TOKENS =
  /\u001b\[(?<parameters>[\d;?]*)(?<command>[A-Za-z])|\u001b\][^\u0007\u001b]*(?:\u0007|\u001b\\)|(?<character>[^])/gu;
/* eslint-enable no-control-regex */
const PLAIN = { colour: "#e6edf3", bold: false, underlined: false };
const [CHARACTER, LINE, MARGIN, FONT_SIZE] = [7.85, 18, 16, 13];

const [file, title = "pulumi preview on a terminal"] = process.argv.slice(2);
if (file === undefined) throw new Error("usage: terminal-picture.mjs <recording> [title]");
process.stdout.write(draw(screenOf(readFileSync(file, "utf8").replace(/^Script (started|done).*\n?/gm, ""))));

/** The screen after the complete output: lines of cells `{ character, style }`. */
function screenOf(recording) {
  const lines = [];
  let [row, column, style] = [0, 0, PLAIN];
  for (const { groups } of recording.matchAll(TOKENS)) {
    const { parameters, command, character } = groups;
    const line = (lines[row] ??= []);
    if (character === "\r") column = 0;
    else if (character === "\n") row += 1;
    else if (character !== undefined) line[column++] = { character, style };
    else if (command === "A") row = Math.max(0, row - Number(parameters || 1));
    else if (command === "K") line.length = Math.min(line.length, column);
    else if (command === "m") style = styleAfter(style, parameters);
    else if (command !== undefined && !/^\?\d+[hl]$|^6n$/.test(parameters + command)) {
      throw new Error(`the recording has a sequence that this script does not know: ${parameters}${command}`);
    }
  }
  return lines.map((line) => Array.from(line, (cell) => cell ?? { character: " ", style: PLAIN }));
}

function styleAfter(style, parameters) {
  if (parameters === "" || parameters === "0") return PLAIN;
  if (parameters === "39") return { ...style, colour: PLAIN.colour };
  if (/^3[0-7]$/.test(parameters)) return { ...style, colour: COLOURS[Number(parameters) - 30] ?? PLAIN.colour };
  if (parameters === "1") return { ...style, bold: true };
  if (parameters === "4") return { ...style, underlined: true };
  const [, number] = /^38;5;(\d+)$/.exec(parameters) ?? [];
  if (number === undefined) throw new Error(`the recording has a style that this script does not know: ${parameters}`);
  return { ...style, colour: COLOURS[number] ?? PLAIN.colour };
}

function draw(screen) {
  const last = screen.findLastIndex((line) => textOf(line).trim() !== "");
  const lines = screen.slice(0, last + 1);
  const columns = Math.max(...lines.map((line) => textOf(line).trimEnd().length));
  const [width, height] = [Math.ceil(columns * CHARACTER) + 2 * MARGIN, lines.length * LINE + 2 * MARGIN];
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img">`,
    `<title>${escaped(title)}</title>`,
    `<rect width="100%" height="100%" rx="8" fill="#0d1117"/>`,
    `<g font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, monospace" font-size="${FONT_SIZE}">`,
    ...lines.map((line, index) => `<text x="${MARGIN}" y="${MARGIN + (index + 0.75) * LINE}">${spansOf(line)}</text>`),
    `</g>`,
    `</svg>`,
    ``,
  ].join("\n");
}

/**
 * Draws adjacent words of one style together, each stretched to its cells, so that columns stay aligned in any font.
 */
function spansOf(line) {
  const runs = [];
  line.forEach(({ character, style }, column) => {
    const run = runs.at(-1);
    const isGap = character === " " && line[column + 1]?.character === " ";
    if (run?.style === style && !isGap) run.text += character;
    else runs.push({ style, column, text: character });
  });
  return runs.map(spanOf).join("");
}

function spanOf({ style: { colour, bold, underlined }, column, text }) {
  const shown = text.trim();
  if (shown === "") return "";
  const x = MARGIN + (column + text.length - text.trimStart().length) * CHARACTER;
  const look = `fill="${colour}"${bold ? ' font-weight="bold"' : ""}${underlined ? ' text-decoration="underline"' : ""}`;
  return `<tspan x="${x.toFixed(2)}" textLength="${(shown.length * CHARACTER).toFixed(2)}" ${look}>${escaped(shown)}</tspan>`;
}

function textOf(line) {
  return line.map(({ character }) => character).join("");
}

function escaped(text) {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
