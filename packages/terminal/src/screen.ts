// The terminal's input and output. `print` makes every text safe for the terminal. A prompt writes to a stream of its
// own, and makes its texts safe itself.

import { Writable } from "node:stream"
import { styleText } from "node:util"
import { toPlainText } from "./plain.ts"
import type { Line, Style } from "./words.ts"

export interface Screen {
  readonly input: NodeJS.ReadableStream
  /** A separate output stream for a prompt, because prompts end their stream. */
  promptOutput(): NodeJS.WritableStream
  /** Whether a person can type: both streams are terminals and the input is open. */
  isInteractive(): boolean
  paint(style: Style, text: string): string
  print(lines: readonly Line[]): void
}

const styles = {
  strong: "bold",
  faint: "dim",
  good: "green",
  bad: "yellow",
  accent: ["bold", "cyan"],
} as const satisfies Record<Style, Parameters<typeof styleText>[0]>

/** The members that a stream has if it is a terminal. */
type Terminal = { readonly isTTY?: boolean; readonly columns?: number; readonly rows?: number }

export function createScreen(input: NodeJS.ReadableStream, output: NodeJS.WritableStream): Screen {
  const terminal = output as Terminal
  const isColoured = terminal.isTTY === true && !process.env.NO_COLOR

  const paint = (style: Style, text: string): string =>
    isColoured ? styleText(styles[style], text, { validateStream: false }) : text

  return {
    input,
    paint,
    promptOutput: () =>
      Object.defineProperties(
        new Writable({
          decodeStrings: false,
          write(chunk: string | Uint8Array, _encoding, callback) {
            output.write(chunk)
            callback()
          },
        }),
        {
          isTTY: { value: true },
          columns: { get: () => terminal.columns },
          rows: { get: () => terminal.rows },
        },
      ),
    // A dumb terminal cannot move the cursor, and Node does not edit lines there.
    isInteractive: () => isTerminal(input) && isTerminal(output) && input.readable && process.env.TERM !== "dumb",
    print(lines) {
      const text = lines.map((line) =>
        line
          .map((piece) =>
            typeof piece === "string" ? toPlainText(piece) : paint(piece.style, toPlainText(piece.text)),
          )
          .join(""),
      )
      output.write(`${text.join("\n")}\n`)
    },
  }
}

function isTerminal(stream: NodeJS.ReadableStream | NodeJS.WritableStream): boolean {
  return (stream as Terminal).isTTY === true
}
