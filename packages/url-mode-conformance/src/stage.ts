// Where a check plays: it opens clients, asks, and has what the target brings along. What a check leaves open is closed.

import { skip } from "./check.ts"
import type { Dialogue, Line } from "./dialogue.ts"
import type { Received } from "./exchange.ts"
import { fits } from "./filling.ts"
import type { Json } from "./json.ts"
import type { Session } from "./legacy.ts"
import { openSession } from "./legacy.ts"
import { callModern } from "./modern.ts"
import { callLegacy } from "./push.ts"
import type { UrlModePerson, UrlModeRevision, UrlModeTarget, UrlModeTool } from "./target.ts"
import type { Question, Turn } from "./turn.ts"
import { describeTurn, textOf } from "./turn.ts"

export interface Ask {
  /** By default, both modes. */
  readonly capabilities?: Json
  readonly who?: UrlModePerson
  readonly arguments?: Json
  /** Of an older revision; by default a new one. */
  readonly session?: Session
}

export interface Asked {
  readonly dialogue: Dialogue
  /** The first question of the wanted mode. */
  readonly question: Question
  readonly turn: Extract<Turn, { kind: "asked" }>
}

export interface Tools {
  readonly url?: UrlModeTool
  readonly form?: UrlModeTool
}

export interface Stage {
  readonly target: UrlModeTarget
  readonly revision: UrlModeRevision
  readonly isModern: boolean
  readonly tools: Tools
  /** All that this revision's clients have received so far, in every check. */
  readonly log: readonly Received[]
  readonly quietMs: number
  readonly legMs: number
  line(who?: UrlModePerson): Line
  session(options?: Ask): Promise<Session>
  call(tool: UrlModeTool, options?: Ask): Promise<Dialogue>
  /** Skips when there is no such tool, or when it does not ask in this mode. */
  askUrl(options?: Ask): Promise<Asked & { readonly link: string }>
  askForm(options?: Ask): Promise<Asked>
  contentFor(question: Question): Json
  /** Does in a browser what the link asks for. Skips when the target cannot. */
  finish(link: string, who?: UrlModePerson): Promise<void>
  /** Skips when there is no second person. */
  needsSecond(): void
  /** Whether the call went through, as after a finished question. */
  isThrough(turn: Turn): boolean
  close(): Promise<void>
}

export const both: Json = { elicitation: { form: {}, url: {} } }
export const bare: Json = { elicitation: {} }
export const formOnly: Json = { elicitation: { form: {} } }
export const urlOnly: Json = { elicitation: { url: {} } }
export const none: Json = {}

export function createStage(target: UrlModeTarget, revision: UrlModeRevision, tools: Tools, log: Received[]): Stage {
  const isModern = revision === "2026-07-28"
  const legMs = target.legMs ?? 60_000
  const dialogues: Dialogue[] = []
  const sessions: Session[] = []
  const capabilitiesOf = (options: Ask): Json => options.capabilities ?? (revision === "2025-06-18" ? bare : both)

  const stage: Stage = {
    target,
    revision,
    isModern,
    tools,
    log,
    legMs,
    quietMs: target.quietMs ?? 1_500,
    line: (who = "first") => ({ target, revision, who, log }),
    async session(options = {}) {
      const opened = await openSession(stage.line(options.who), capabilitiesOf(options))
      if ("refused" in opened) return skip(opened.refused)
      sessions.push(opened.session)
      return opened.session
    },
    async call(tool, options = {}) {
      const called = options.arguments === undefined ? tool : { ...tool, arguments: options.arguments }
      const how = { capabilities: capabilitiesOf(options), limitMs: legMs }
      const dialogue = isModern
        ? await callModern(stage.line(options.who), called, how)
        : await callLegacy(options.session ?? (await stage.session(options)), called, how)
      dialogues.push(dialogue)
      return dialogue
    },
    async askUrl(options = {}) {
      const asked = await ask(stage, tools.url, "url", options)
      return { ...asked, link: asked.question.url ?? "" }
    },
    askForm: (options = {}) => ask(stage, tools.form, "form", options),
    contentFor: ({ params }) => target.formContent ?? fits(params.requestedSchema),
    async finish(link, who = "first") {
      if (target.finish === undefined) skip("nothing finishes what a link asks for (a finish hook)")
      try {
        await target.finish(link, who)
      } catch (error) {
        skip(`what the link asks for could not be tried: ${error instanceof Error ? error.message : String(error)}`)
      }
    },
    needsSecond() {
      if (target.people?.second === undefined) skip("there is no second person (other credentials)")
    },
    isThrough: (turn) =>
      turn.kind === "done" &&
      turn.result.isError !== true &&
      (target.done === undefined || textOf(turn.result).includes(target.done)),
    async close() {
      for (const dialogue of dialogues.splice(0)) await dialogue.close().catch(() => undefined)
      for (const session of sessions.splice(0)) await session.close().catch(() => undefined)
    },
  }
  return stage
}

async function ask(stage: Stage, tool: UrlModeTool | undefined, mode: string, options: Ask): Promise<Asked> {
  if (tool === undefined) return skip(`no tool is known that asks in ${mode} mode`)
  const dialogue = await stage.call(tool, options)
  const { turn } = dialogue
  const question = turn.kind === "asked" ? turn.questions.find((one) => one.mode === mode) : undefined
  if (turn.kind !== "asked" || question === undefined) {
    return skip(`${tool.name} does not ask in ${mode} mode here: it gave ${describeTurn(turn)}`)
  }
  return { dialogue, question, turn }
}
