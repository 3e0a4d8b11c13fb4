// The only place that writes to the terminal. What a server sent must not move the cursor, change colours or turn the
// direction of reading; what is unsafe is replaced, so that the person sees that it was there.

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
  let isShowing = false
  return {
    say: (...parts) => void stdout.write(`${parts.map((part) => render(part, stdout)).join("")}\n`),
    note: (text) => void stderr.write(`${text.split("\n").map(plain).join("\n")}\n`),
    json: (value, indent) => void stdout.write(`${escaped(JSON.stringify(value, undefined, indent))}\n`),
    progress(text) {
      if (stderr.isTTY !== true) return
      isShowing = true
      stderr.write(`${eraseLine}${render({ text, style: "dim" }, stderr)}`)
    },
    clearProgress() {
      if (isShowing) stderr.write(eraseLine)
      isShowing = false
    },
  }
}

function render(part: string | Styled, screen: Screen): string {
  if (typeof part === "string") return plain(part)
  return screen.isTTY === true ? styleText(part.style, plain(part.text), { stream: screen }) : plain(part.text)
}

const plain = (text: string): string => text.replace(/\r\n?|\n/g, "↵").replace(unsafe, "\ufffd")

/** JSON that means the same. */
const escaped = (json: string): string =>
  json.replace(unsafe, (character) =>
    character === "\n"
      ? character
      : [...Array(character.length).keys()]
          .map((at) => `\\u${character.charCodeAt(at).toString(16).padStart(4, "0")}`)
          .join(""),
  )
