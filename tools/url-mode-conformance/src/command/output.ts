// The only module that writes to the terminal. Text from a server must not move the cursor, change colours or reverse the
// reading direction; unsafe characters are replaced visibly.

import { styleText } from "node:util"
import type { Output, Styled } from "./call.ts"

export type Screen = NodeJS.WritableStream & { readonly isTTY?: boolean }

const unsafe =
  /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\u{e0000}-\u{e007f}]/gu
const eraseLine = "\r\u001b[2K"

export interface Screens {
  readonly stdout: Screen
  readonly stderr: Screen
}

export function createOutput({ stdout, stderr }: Screens): Output & { note(text: string): void } {
  let hasProgressLine = false
  return {
    say: (...parts) => void stdout.write(`${parts.map((part) => render(part, stdout)).join("")}\n`),
    note: (text) => void stderr.write(`${text.split("\n").map(toPlainText).join("\n")}\n`),
    json: (value, indent) => void stdout.write(`${toEscapedJson(JSON.stringify(value, undefined, indent))}\n`),
    progress(text) {
      if (stderr.isTTY !== true) return
      hasProgressLine = true
      stderr.write(`${eraseLine}${render({ text, style: "dim" }, stderr)}`)
    },
    clearProgress() {
      if (hasProgressLine) stderr.write(eraseLine)
      hasProgressLine = false
    },
  }
}

function render(part: string | Styled, screen: Screen): string {
  if (typeof part === "string") return toPlainText(part)
  return screen.isTTY === true
    ? styleText(part.style, toPlainText(part.text), { stream: screen })
    : toPlainText(part.text)
}

const toPlainText = (text: string): string => text.replace(/\r\n?|\n/g, "↵").replace(unsafe, "\ufffd")

/** Escapes unsafe characters in JSON text, without changing its value. */
const toEscapedJson = (json: string): string =>
  json.replace(unsafe, (character) =>
    character === "\n"
      ? character
      : [...Array(character.length).keys()]
          .map((index) => `\\u${character.charCodeAt(index).toString(16).padStart(4, "0")}`)
          .join(""),
  )
