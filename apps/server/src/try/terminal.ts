// A person at the terminal, by lines of text. The person opens links in their own browser.

import { createInterface } from "node:readline"
import { plain, plainLines } from "@holdpoint/sdk/terminal"
import type { ElicitResult } from "@modelcontextprotocol/client"
import type { Io } from "../io.ts"
import type { Output } from "../output.ts"
import { bold, cyan, dim } from "../output.ts"
import { wrongUse } from "../wrong-use.ts"
import type { ElicitParams } from "./client.ts"
import type { Person } from "./person.ts"

export interface TerminalPerson extends Person {
  close(): void
}

export function createTerminalPerson(io: Io, out: Output): TerminalPerson {
  const lines = readLines(io)
  const ask = async (words: string, signal: AbortSignal = io.signal): Promise<string> => {
    io.stderr.write(plain(words))
    const line = await lines.next(signal)
    if (line !== undefined) return line.trim().toLowerCase()
    io.stderr.write("\n")
    throw wrongUse("The input has ended, so you cannot answer.", "Start it again, or use --play, which needs no input.")
  }
  return {
    close: lines.close,
    async signIn(link) {
      out.say("")
      out.say(bold("  Sign in first"), " as alice, with one button. Open:")
      out.say("  ", cyan(link))
      out.say(dim("  Then press Allow. The story continues here."))
    },
    async onQuestion(params, withdrawn) {
      out.say("")
      for (const line of plainLines(params.message)) out.say("  ", bold(line))
      if (params.mode !== "url") return answer(params, (words) => ask(words, withdrawn))
      out.say("  ", cyan(params.url))
      out.say(dim("  Open it and say yes there; at the Nextcloud, grant access as alice."))
      out.say(dim("  The story then continues. Enter: try again · c: cancel"))
      return { action: "accept" }
    },
    async choose(words, options) {
      for (const [index, option] of options.entries()) out.say(`  ${index + 1}. `, option)
      for (;;) {
        const text = await ask(`${words} [1] `)
        const number = text === "" ? 1 : Number(text)
        if (Number.isInteger(number) && number >= 1 && number <= options.length) return number - 1
      }
    },
    confirm: async (words) => !/^n/.test(await ask(`${words} [Y/n] `)),
    async next(signal) {
      for (;;) {
        const text = (await lines.next(signal))?.trim().toLowerCase()
        // The input has ended: the call goes on without it.
        if (text === undefined) return new Promise(() => {})
        if (text === "") return "again"
        if (text.startsWith("c")) return "cancel"
      }
    },
  }
}

interface Field {
  readonly title?: string
  readonly type?: string
  readonly enum?: readonly string[]
  readonly oneOf?: readonly { readonly const: string }[]
}

async function answer(
  { requestedSchema }: Exclude<ElicitParams, { mode: "url" }>,
  ask: (words: string) => Promise<string>,
): Promise<ElicitResult> {
  const content: NonNullable<ElicitResult["content"]> = {}
  for (const [name, field] of Object.entries(requestedSchema.properties)) {
    const { title = name, type, oneOf, enum: values = oneOf?.map((option) => option.const) } = field as Field
    const text = await ask(`  ${title}${hintOf(type, values)} (c: cancel) `)
    if (text === "c") return { action: "cancel" }
    if (type === "boolean" && text.startsWith("n")) return { action: "decline" }
    if (type === "boolean") content[name] = true
    else if (type === "number" || type === "integer") content[name] = Number(text)
    else content[name] = values?.find((value) => text !== "" && value.startsWith(text)) ?? text
  }
  return { action: "accept", content }
}

const hintOf = (type: string | undefined, values: readonly string[] | undefined): string =>
  type === "boolean" ? " [Y/n]" : values === undefined ? "" : ` (${values.join(", ")})`

interface Lines {
  /**
   * Returns the next line of input. If several callers wait, the latest one gets it. Undefined when the input has
   * ended.
   */
  next(signal: AbortSignal): Promise<string | undefined>
  close(): void
}

/** Reads lines without raw mode, so that Ctrl-C still sends its signal. */
function readLines({ stdin, signal: stopped }: Io): Lines {
  const input = createInterface({ input: stdin, terminal: false })
  const waiting: ((line: string | undefined) => void)[] = []
  let hasEnded = false
  input.on("line", (line) => waiting.at(-1)?.(line))
  input.on("close", () => {
    hasEnded = true
    for (const onLine of [...waiting]) onLine(undefined)
  })
  return {
    next(signal) {
      const endSignal = AbortSignal.any([signal, stopped])
      return new Promise((resolve, reject) => {
        const stopWaiting = (): void => void waiting.splice(waiting.indexOf(onLine), 1)
        const onLine = (line: string | undefined): void => {
          stopWaiting()
          resolve(line)
        }
        if (endSignal.aborted) return reject(endSignal.reason)
        if (hasEnded) return resolve(undefined)
        endSignal.addEventListener("abort", () => {
          if (!waiting.includes(onLine)) return
          stopWaiting()
          reject(endSignal.reason)
        })
        waiting.push(onLine)
      })
    },
    close: () => input.close(),
  }
}
