// The only module that writes to the terminal. Plain strings are made safe; colour is added afterwards.

import { styleText } from "node:util"
import { plain, plainJson } from "@holdpoint/terminal"
import type { Io, Screen } from "./io.ts"

export type Style = "bold" | "dim" | "green" | "yellow" | "red" | "cyan"

export interface Styled {
  readonly text: string
  readonly style: Style
}

export type Part = string | Styled

export interface Output {
  /** Prints one line on standard output: the result. */
  say(...parts: readonly Part[]): void
  /** Prints one line on standard error: everything else. */
  note(...parts: readonly Part[]): void
  /** Prints one JSON document on standard output. */
  json(value: unknown, indent?: number): void
  /** Prints a line that replaces itself. Does nothing when standard error is not a terminal. */
  progress(text: string): void
  clearProgress(): void
}

export const styled =
  (style: Style) =>
  (text: string): Styled => ({ text, style })
export const bold = styled("bold")
export const dim = styled("dim")
export const green = styled("green")
export const yellow = styled("yellow")
export const red = styled("red")
export const cyan = styled("cyan")

export function createOutput({ stdout, stderr, env }: Io): Output {
  const write = (screen: Screen, parts: readonly Part[]): void => {
    screen.write(`${parts.map((part) => render(part, hasColour(screen, env))).join("")}\n`)
  }
  let isShowing = false
  const clearProgress = (): void => {
    if (isShowing) stderr.write(eraseLine)
    isShowing = false
  }
  return {
    say: (...parts) => write(stdout, parts),
    note: (...parts) => write(stderr, parts),
    json: (value, indent) => void stdout.write(`${plainJson(value, indent)}\n`),
    progress(text) {
      if (stderr.isTTY !== true) return
      isShowing = true
      stderr.write(`${eraseLine}${render(dim(text), hasColour(stderr, env))}`)
    },
    clearProgress,
  }
}

const eraseLine = "\r\u001b[2K"

function render(part: Part, inColour: boolean): string {
  if (typeof part === "string") return plain(part)
  const text = plain(part.text)
  return inColour ? styleText(part.style, text, { validateStream: false }) : text
}

/** Whether to print in colour: on a terminal, unless NO_COLOR is set and not empty (https://no-color.org). */
function hasColour(screen: Screen, env: Io["env"]): boolean {
  return screen.isTTY === true && !env.NO_COLOR && env.TERM !== "dumb"
}
