// The terminal's two streams. Everything printed passes through here, so that nothing unsafe reaches the terminal.

import { Writable } from "node:stream"
import { styleText } from "node:util"
import { toPlainText } from "./plain.ts"
import type { Line, Style } from "./words.ts"

export interface Screen {
  readonly input: NodeJS.ReadableStream
  /** For prompts, which end the stream that they are given. */
  promptOutput(): NodeJS.WritableStream
  /** True while somebody can be expected to type. */
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

/** What a stream also has when it is a terminal. */
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
          write(chunk: string | Uint8Array, _encoding, done) {
            output.write(chunk)
            done()
          },
        }),
        {
          isTTY: { value: true },
          columns: { get: () => terminal.columns },
          rows: { get: () => terminal.rows },
        },
      ),
    // A dumb terminal has no cursor to move, and Node edits no lines there.
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
