// Shows one prompt with @inquirer/prompts, which is loaded with the first prompt. Esc returns `escaped`; Ctrl-C, a
// withdrawn question and the end of the input throw.

import { loadPeer } from "@holdpoint/hub/internal"
import type { Control, OneOption, Prompt, Value } from "./map.ts"
import { plainLines, toPlainText } from "./plain.ts"
import type { Screen } from "./screen.ts"
import type { Style } from "./words.ts"

export const escaped = Symbol("escaped")
export type OrEscaped<T> = T | typeof escaped

/** How to read and check the value of a prompt. */
export interface Reading {
  /** Converts the typed line to a value. */
  readonly read: (line: string) => Value | undefined
  readonly problemWith: (value: Value | undefined) => string | undefined
}

export interface Prompter {
  field(prompt: Prompt, reading: Reading): Promise<OrEscaped<Value | undefined>>
  menu<T>(message: string, options: Options<T>): Promise<OrEscaped<T>>
  /** A menu without an initial choice: Enter alone is not an answer. */
  decide<T>(message: string, options: Options<T>): Promise<OrEscaped<T>>
}

type Options<T> = readonly { readonly title: string; readonly value: T }[]

const undecided = Symbol("undecided")

type Prompts = typeof import("@inquirer/prompts")
type Context = NonNullable<Parameters<Prompts["input"]>[1]>
type Show<T> = (prompts: Prompts, context: Context) => Promise<T>

/** Thrown when the input has ended. */
export const inputEnded = new Error("The input ended.")

export function createPrompter(screen: Screen, withdrawn: AbortSignal): Prompter {
  const { input } = screen
  const theme = createTheme(screen.paint)

  const run = async <T>(show: Show<T>): Promise<OrEscaped<T>> => {
    const stop = new AbortController()
    const onKey = (_text: unknown, key: { readonly name?: string } | undefined): void => {
      if (key?.name === "escape") stop.abort(escaped)
    }
    const onEnd = (): void => stop.abort(inputEnded)
    input.on("keypress", onKey).on("end", onEnd).on("close", onEnd)
    try {
      const signal = AbortSignal.any([withdrawn, stop.signal])
      const prompts = await loadPeer("@inquirer/prompts", () => import("@inquirer/prompts"))
      return await show(prompts, { input, output: screen.promptOutput(), signal, clearPromptOnDone: true })
    } catch (error) {
      if (withdrawn.aborted || !stop.signal.aborted) throw error
      if (stop.signal.reason === escaped) return escaped
      throw stop.signal.reason
    } finally {
      input.off("keypress", onKey).off("end", onEnd).off("close", onEnd)
    }
  }

  const choose = <T>(message: string, options: readonly T[], titleOf: (option: T) => string, initial = 0) =>
    run(({ select }, context) => {
      const choices = options.map((option, value) => ({ value, name: toPlainText(titleOf(option)) }))
      return select({ message, choices, default: initial, loop: false, pageSize: 12, theme }, context)
    })

  const menu = async <T>(message: string, options: Options<T>): Promise<OrEscaped<T>> => {
    const index = await choose(screen.paint("strong", message), options, ({ title }) => title)
    return index === escaped ? escaped : options[index]!.value
  }

  return {
    menu,
    async decide<T>(message: string, options: Options<T>): Promise<OrEscaped<T>> {
      const neutral = { title: "(choose with ↑ and ↓)", value: undecided } as const
      for (;;) {
        const chosen = await menu<T | typeof undecided>(message, [neutral, ...options])
        if (chosen !== undecided) return chosen
      }
    },
    async field(prompt, reading) {
      if (prompt.description !== undefined) {
        screen.print(plainLines(prompt.description).map((text) => [{ style: "faint", text: `  ${text}` }]))
      }
      const message = `${screen.paint("strong", toPlainText(prompt.label))} ${screen.paint("faint", `(${toPlainText(prompt.note)})`)}`
      return askFor(prompt.control, message, reading)
    },
  }

  async function askFor(control: Control, message: string, reading: Reading): Promise<OrEscaped<Value | undefined>> {
    const judge = (value: Value | undefined): true | string => {
      const problem = reading.problemWith(value)
      return problem === undefined ? true : toPlainText(problem)
    }
    switch (control.type) {
      case "line": {
        const validate = (text: string) => judge(reading.read(text))
        const config = { message, default: control.prefill, prefill: "editable", validate, theme } as const
        const text = await run((prompts, context) => prompts.input(config, context))
        return text === escaped ? escaped : reading.read(text)
      }
      case "yes-no": {
        const { initial } = control
        if (initial !== undefined)
          return run(({ confirm }, context) => confirm({ message, default: initial, theme }, context))
        // `confirm` is not used, because without a default it treats Enter as a Yes.
        const validate = (text: string) => judge(fromYesNo(text))
        const text = await run((prompts, context) => prompts.input({ message, validate, theme }, context))
        return text === escaped ? escaped : fromYesNo(text)
      }
      case "one": {
        const index = await choose(message, control.options, ({ title }: OneOption) => title, control.initial)
        return index === escaped ? escaped : control.options[index]?.value
      }
      case "several": {
        const choices = control.options.map(({ const: value, title }) => {
          return { value, name: toPlainText(title), checked: control.ticked.includes(value) }
        })
        const validate = (checkedOptions: readonly { readonly value: string }[]) =>
          judge(checkedOptions.map(({ value }) => value))
        const config = { message, choices, validate, loop: false, pageSize: 12, theme }
        return run(({ checkbox }, context) => checkbox(config, context))
      }
    }
  }
}

function fromYesNo(text: string): Value | undefined {
  const word = text.trim().toLowerCase()
  if (word === "") return undefined
  if ("yes".startsWith(word)) return true
  return "no".startsWith(word) ? false : word
}

/**
 * Creates a theme of our own, because Inquirer's theme chooses colours for process.stdout even when the prompt writes
 * to another stream.
 */
function createTheme(paint: (style: Style, text: string) => string) {
  const unstyled = (text: string): string => text
  return {
    prefix: { idle: paint("accent", "?"), done: paint("good", "✔") },
    spinner: { interval: 80, frames: ["…"] },
    icon: { cursor: "❯", checked: paint("good", " [x]"), unchecked: " [ ]" },
    style: {
      message: unstyled,
      answer: unstyled,
      error: (text: string) => paint("bad", `> ${text}`),
      defaultAnswer: (text: string) => paint("faint", `(${text})`),
      highlight: (text: string) => paint("accent", text),
      disabled: unstyled,
      description: unstyled,
      keysHelpTip: (keys: [key: string, action: string][]) =>
        paint("faint", keys.map(([key, action]) => `${key} ${action}`).join(" · ")),
    },
  }
}
