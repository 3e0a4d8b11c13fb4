// Two streams that look like a terminal, a hub that asks there, and fingers that wait for what they read.

import { PassThrough } from "node:stream"
import { stripVTControlCharacters } from "node:util"
import {
  createHub,
  createMemoryStorage,
  type Draft,
  type Elicitation,
  type Form,
  type Hub,
  inbox,
  type Principal,
} from "@holdpoint/hub"
import { createTerminalOutlet } from "@holdpoint/terminal"
import { approval } from "../fixtures.ts"

export const alice: Principal = { tenant: "test", issuer: "https://id.example.test", subject: "alice" }
export const bob: Principal = { ...alice, subject: "bob", roles: ["operator"] }

export const keys = {
  enter: "\r",
  up: "\x1b[A",
  down: "\x1b[B",
  space: " ",
  backspace: "\x7f",
  esc: "\x1b",
  ctrlC: "\x03",
} as const

export interface FakeTerminal {
  readonly hub: Hub
  readonly input: PassThrough
  /** Everything written so far, as bytes for the terminal. */
  raw(): string
  /** Everything written so far, as text. */
  text(): string
  /** Resolves once this is read, after what was waited for before. */
  reads(words: string): Promise<void>
  /** Waits for the words, then types. */
  at(words: string, ...typed: readonly string[]): Promise<void>
  ask(form: Form, more?: Partial<Draft>): ReturnType<Hub["ask"]>
  askToVisit(url: string): ReturnType<Hub["ask"]>
  /** A question that no hub of today would have let through, as an older program may have stored it. */
  showUnchecked(form: Form, more: Partial<Elicitation>): Promise<Elicitation>
}

export interface FakeTerminalOptions {
  readonly isTTY?: boolean
  /** What the answers pass through on their way to the hub. */
  readonly through?: (hub: Hub) => Pick<Hub, "answer">
}

export function openTerminal({ isTTY = true, through = (hub) => hub }: FakeTerminalOptions = {}): FakeTerminal {
  const input = Object.assign(new PassThrough(), { isTTY })
  const output = Object.assign(new PassThrough(), { isTTY, columns: 100, rows: 40 })
  let written = ""
  let readUpTo = 0
  let look = (): void => {}
  output.on("data", (chunk) => {
    written += String(chunk)
    look()
  })
  const text = (): string => stripVTControlCharacters(written)
  const find = (words: string): boolean => {
    const index = text().indexOf(words, readUpTo)
    if (index !== -1) readUpTo = index + words.length
    return index !== -1
  }
  const reads = async (words: string): Promise<void> => {
    if (find(words)) return
    await new Promise<void>((resolve) => {
      look = () => {
        if (find(words)) resolve()
      }
    })
  }

  const outletOf = (hub: Hub) => createTerminalOutlet({ as: alice, hub: through(hub), input, output })
  const storage = createMemoryStorage()
  const hub = createHub({ storage, outlets: (made) => [outletOf(made)] })
  const base = { message: "May I?", audience: alice, requester: { id: "bot", name: "Release bot" } }
  return {
    hub,
    input,
    raw: () => written,
    text,
    reads,
    async at(words, ...typed) {
      await reads(words)
      for (const key of typed) input.write(key)
    },
    ask: (form, more = {}) => hub.ask({ ...base, ...more, form } as Draft),
    askToVisit: (url) => hub.ask({ ...base, url }),
    async showUnchecked(form, more) {
      const written = await createHub({ storage, outlets: [inbox()] }).ask({ ...base, form: approval })
      const record = { ...written, ...more, requestedSchema: form, revision: 2 } as Elicitation
      await storage.store.replace(record, { id: record.id, tenant: record.tenant, kind: "opened", at: 0, detail: {} })
      await outletOf(hub).deliver(record)
      return record
    },
  }
}
