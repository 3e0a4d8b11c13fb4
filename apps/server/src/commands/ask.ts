// `holdpoint ask`: stops a script until somebody has answered. Standard output gets the answer and nothing else.

import type { Audience, Draft, Elicitation, Outcome } from "holdpoint"
import { canAnswer, inbox, toOutcome } from "holdpoint"
import { createTerminalOutlet } from "holdpoint/terminal"
import type { Call, Command, ExitCode } from "../command.ts"
import type { Settings } from "../config.ts"
import { askerOf, audienceOf, endedOf, endingOf } from "../describe.ts"
import { clockTime, inWords, toDuration, toMilliseconds } from "../duration.ts"
import { fieldFlags, readForm } from "../fields.ts"
import { howToAnswer } from "../instructions.ts"
import { isInteractive } from "../io.ts"
import { bold, dim, yellow } from "../output.ts"
import { toLines } from "../sanitise.ts"
import type { Session } from "../session.ts"
import { withHub } from "../session.ts"
import { wrongUse } from "../wrong-use.ts"

export const ask: Command = {
  name: "ask",
  summary: "Ask a person and wait for the answer.",
  usage: "MESSAGE [fields] [flags]",
  words: { least: 1, most: 1 },
  usesDatabase: true,
  flags: {
    ...fieldFlags,
    url: { value: "URL", help: "ask to open this address instead; {id} stands for the question's id" },
    to: { value: "SUBJECT", help: "who may answer (default me); repeated: any of them", repeats: true },
    "to-role": { value: "ROLE", help: "whoever has this role may answer" },
    key: { value: "KEY", help: "asking the same again with this key finds this question" },
    timeout: { value: "TIME", help: "how long it may take: 30s, 5m, 2h, 7d (default 5m)" },
    "no-wait": { help: "print the id and do not wait" },
    from: { value: "NAME", help: "who asks (default shell)" },
  },
  notes: [
    "Without fields it is a yes-or-no question, and the exit code is the answer:",
    '  holdpoint ask "Deploy to production?" && ./deploy.sh',
    "",
    "With fields the answer is JSON on standard output:",
    "  answer=$(holdpoint ask 'Where to?' --choice env=staging,production --integer percent --text note --optional note)",
    "",
    "Exit code: 0 completed; 1 declined, cancelled, expired, failed or unsupported (--json says which).",
    "Ctrl-C takes the question back. A killed program leaves it open: ask again with the same --key to find it.",
    "A question with --url is over when whoever runs that page says so: holdpoint complete ID.",
  ],
  async run(call) {
    const settings = await call.settings()
    const draft = toDraft(call, settings)
    const isHere =
      isInteractive(call.io) && canAnswer({ audience: draft.audience }, settings.me) && !call.given.has("no-wait")
    const { stdin: input, stderr: output, runtime } = call.io
    return withHub(
      call,
      {
        mustExist: false,
        outlets: (hub) => [
          inbox("command"),
          ...(isHere
            ? [
                createTerminalOutlet({
                  as: settings.me,
                  hub,
                  input,
                  output,
                  now: runtime.now,
                  howToAnswer: (question) => howToAnswer(question, settings),
                }),
              ]
            : []),
        ],
      },
      (session) => askAndWait(call, session, draft, isHere),
    )
  },
}

type WrittenDraft = Draft & { readonly audience: Audience }

function toDraft({ given, io }: Call, { me, limits }: Settings): WrittenDraft {
  const form = readForm(given, io)
  const url = given.one("url")
  const hasFields = given.given.some(({ name }) => Object.hasOwn(fieldFlags, name))
  if (url !== undefined && hasFields) throw wrongUse("A question has fields or an address, not both.", "Ask twice.")
  const key = given.one("key")
  const base = {
    message: given.words[0] ?? "",
    audience: toAudience(given.all("to"), given.one("to-role"), me),
    requester: { id: given.one("from") ?? "shell" },
    context: { trigger: "shell" },
    lifetimeMs: toLifetime(given.one("timeout") ?? "5m", limits),
    ...(key === undefined ? {} : { key }),
  } as const
  return url === undefined ? { ...base, form } : { ...base, url: (id) => url.replaceAll("{id}", id) }
}

function toAudience(to: readonly string[], role: string | undefined, me: Settings["me"]): Audience {
  const { tenant, issuer } = me
  if (role !== undefined && to.length > 0) throw wrongUse("--to and --to-role do not go together.", "Use one of them.")
  if (role !== undefined) return { kind: "role", tenant, role }
  const [first = me.subject, ...others] = to
  if (others.length === 0) return { kind: "one", principal: { tenant, issuer, subject: first } }
  return { kind: "any", principals: to.map((subject) => ({ tenant, issuer, subject })) }
}

function toLifetime(text: string, { minLifetimeMs, maxLifetimeMs }: Settings["limits"]): number {
  const lifetime = toMilliseconds(text)
  if (lifetime === undefined) {
    throw wrongUse(`“${text}” is no length of time.`, "Write --timeout 30s, 5m, 2h or 7d.")
  }
  if (lifetime >= minLifetimeMs && lifetime <= maxLifetimeMs) return lifetime
  const between = `between ${toDuration(minLifetimeMs)} and ${toDuration(maxLifetimeMs)}`
  throw wrongUse(`--timeout ${text} is not ${between}.`, "limits.minLifetimeMs and limits.maxLifetimeMs set the bounds.")
}

async function askAndWait(call: Call, session: Session, draft: Draft, isHere: boolean): Promise<ExitCode> {
  const { io, out, given } = call
  const { hub } = session
  const asked = await hub.ask(draft, { signal: io.signal })
  // Whoever comes second joins the question or finds it settled; either way it has moved on.
  if (asked.revision > 1) tellFound(call, asked)
  if (given.has("no-wait")) {
    if (given.has("json")) out.json({ id: asked.id, status: asked.status })
    else out.say(asked.id)
    return 0
  }
  if (!isHere && toOutcome(asked) === undefined) tellQuestion(call, session, asked)
  const stopProgress = isHere ? () => {} : showProgress(call, asked)
  try {
    const outcome = await hub.wait(asked, { signal: io.signal })
    stopProgress()
    return await tellOutcome(call, session, asked, outcome)
  } catch (error) {
    stopProgress()
    if (!io.signal.aborted) throw error
    return await tellStopped(call, session, asked)
  }
}

function tellFound({ out, io }: Call, { id, createdAt, status }: Elicitation): void {
  const now = io.runtime.now()
  const since = inWords(now - createdAt)
  out.note(yellow("Found: "), `this was asked ${since} ago (${clockTime(createdAt, now)}), id ${id}, and is ${status}.`)
}

function tellQuestion({ out, io }: Call, { settings }: Session, asked: Elicitation): void {
  for (const line of toLines(asked.message)) out.note(bold(line))
  if (asked.mode === "url") out.note("  at       ", asked.url)
  out.note(dim("  from     "), askerOf(asked))
  out.note(dim("  for      "), audienceOf(asked.audience))
  out.note(dim("  expires  "), `in ${inWords(asked.expiresAt - io.runtime.now())}`)
  out.note(dim("  id       "), asked.id)
  out.note(dim("  answer   "), howToAnswer(asked, settings))
}

/** One line with the time that is left, where there is a terminal to draw it on. */
function showProgress({ out, io }: Call, asked: Elicitation): () => void {
  if (io.stderr.isTTY !== true) return () => {}
  const draw = () => out.progress(`Waiting for an answer, ${inWords(asked.expiresAt - io.runtime.now())} left …`)
  draw()
  const timer = setInterval(draw, 1_000)
  return () => {
    clearInterval(timer)
    out.clearProgress()
  }
}

async function tellOutcome(
  { io, out, given }: Call,
  { hub }: Session,
  asked: Elicitation,
  outcome: Outcome,
): Promise<ExitCode> {
  const isAnswered = outcome.status === "completed"
  if (given.has("json")) out.json({ id: asked.id, ...outcome })
  else if (isAnswered && asked.mode === "form" && outcome.content === undefined && hasFields(asked)) {
    out.note("It was answered, but its content is not kept any more. Ask again with another --key.")
    return 1
  } else if (isAnswered) out.json(outcome.content ?? {})
  if (isAnswered) return 0
  const last = await hub.get(asked.id)
  const ended = last === undefined ? undefined : endedOf(last)
  out.note(yellow("No answer: "), ended === undefined ? outcome.status : `${endingOf(ended, io.runtime.now())}.`)
  return 1
}

const hasFields = given.given.some(({ name }) => Object.hasOwn(fieldFlags, name))
  if (url !== undefined && hasFields) throw wrongUse("A question has fields or an address, not both.", "Ask twice.")
  const key = given.one("key")
  const base = {
    message: given.words[0] ?? "",
    audience: toAudience(given.all("to"), given.one("to-role"), me),
    requester: { id: given.one("from") ?? "shell" },
    context: { trigger: "shell" },
    lifetimeMs: toLifetime(given.one("timeout") ?? "5m", limits),
    ...(key === undefined ? {} : { key }),
  } as const
  return url === undefined ? { ...base, form } : { ...base, url: (id) => url.replaceAll("{id}", id) }
}

function toAudience(to: readonly string[], role: string | undefined, me: Settings["me"]): Audience {
  const { tenant, issuer } = me
  if (role !== undefined && to.length > 0) throw wrongUse("--to and --to-role do not go together.", "Use one of them.")
  if (role !== undefined) return { kind: "role", tenant, role }
  const [first = me.subject, ...others] = to
  if (others.length === 0) return { kind: "one", principal: { tenant, issuer, subject: first } }
  return { kind: "any", principals: to.map((subject) => ({ tenant, issuer, subject })) }
}

function toLifetime(text: string, { minLifetimeMs, maxLifetimeMs }: Settings["limits"]): number {
  const lifetime = toMilliseconds(text)
  if (lifetime === undefined) {
    throw wrongUse(`“${text}” is no length of time.`, "Write --timeout 30s, 5m, 2h or 7d.")
  }
  if (lifetime >= minLifetimeMs && lifetime <= maxLifetimeMs) return lifetime
  const between = `between ${toDuration(minLifetimeMs)} and ${toDuration(maxLifetimeMs)}`
  throw wrongUse(`--timeout ${text} is not ${between}.`, "limits.minLifetimeMs and limits.maxLifetimeMs set the bounds.")
}

async function askAndWait(call: Call, session: Session, draft: Draft, isHere: boolean): Promise<ExitCode> {
  const { io, out, given } = call
  const { hub } = session
  const asked = await hub.ask(draft, { signal: io.signal })
  // Whoever comes second joins the question or finds it settled; either way it has moved on.
  if (asked.revision > 1) tellFound(call, asked)
  if (given.has("no-wait")) {
    if (given.has("json")) out.json({ id: asked.id, status: asked.status })
    else out.say(asked.id)
    return 0
  }
  if (!isHere && toOutcome(asked) === undefined) tellQuestion(call, session, asked)
  const stopProgress = isHere ? () => {} : showProgress(call, asked)
  try {
    const outcome = await hub.wait(asked, { signal: io.signal })
    stopProgress()
    return await tellOutcome(call, session, asked, outcome)
  } catch (error) {
    stopProgress()
    if (!io.signal.aborted) throw error
    return await tellStopped(call, session, asked)
  }
}

function tellFound({ out, io }: Call, { id, createdAt, status }: Elicitation): void {
  const now = io.runtime.now()
  const since = inWords(now - createdAt)
  out.note(yellow("Found: "), `this was asked ${since} ago (${clockTime(createdAt, now)}), id ${id}, and is ${status}.`)
}

function tellQuestion({ out, io }: Call, { settings }: Session, asked: Elicitation): void {
  for (const line of toLines(asked.message)) out.note(bold(line))
  if (asked.mode === "url") out.note("  at       ", asked.url)
  out.note(dim("  from     "), askerOf(asked))
  out.note(dim("  for      "), audienceOf(asked.audience))
  out.note(dim("  expires  "), `in ${inWords(asked.expiresAt - io.runtime.now())}`)
  out.note(dim("  id       "), asked.id)
  out.note(dim("  answer   "), howToAnswer(asked, settings))
}

/** One line with the time that is left, where there is a terminal to draw it on. */
function showProgress({ out, io }: Call, asked: Elicitation): () => void {
  if (io.stderr.isTTY !== true) return () => {}
  const draw = () => out.progress(`Waiting for an answer, ${inWords(asked.expiresAt - io.runtime.now())} left …`)
  draw()
  const timer = setInterval(draw, 1_000)
  return () => {
    clearInterval(timer)
    out.clearProgress()
  }
}

async function tellOutcome(
  { io, out, given }: Call,
  { hub }: Session,
  asked: Elicitation,
  outcome: Outcome,
): Promise<ExitCode> {
  const isAnswered = outcome.status === "completed"
  if (given.has("json")) out.json({ id: asked.id, ...outcome })
  else if (isAnswered && asked.mode === "form" && outcome.content === undefined && hasFields(asked)) {
    out.note("It was answered, but its content is not kept any more. Ask again with another --key.")
    return 1
  } else if (isAnswered) out.json(outcome.content ?? {})
  if (isAnswered) return 0
  const ended = await hub.get(asked.id)
  const { status } = outcome
  out.note(
    yellow("No answer: "),
    ended === undefined ? status : endingOf({ ...ended, status, at: ended.settledAt ?? asked.expiresAt, ...by(ended) }, io.runtime.now()),
  )
  return 1
}

const hasFields = (asked: Elicitation): boolean =>
  asked.mode === "form" && Object.keys(asked.requestedSchema.properties).length > 0

/** Closing the hub lets it finish taking the question back; only then it is known what became of it. */
async function tellStopped({ out }: Call, { hub, storage }: Session, asked: Elicitation): Promise<ExitCode> {
  await hub.close()
  const left = await storage.store.get(asked.id)
  if (left === undefined || toOutcome(left) !== undefined) {
    out.note(yellow("Cancelled: "), "the question is taken back.")
  } else {
    out.note(yellow("Stopped waiting. "), "The question stays open, because another asker waits or was killed waiting.")
    out.note(`To take it back: npx holdpoint cancel ${asked.id}`)
  }
  return 1
}
