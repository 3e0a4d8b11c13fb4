// `holdpoint ask`: stops a script until a person has answered. This file turns the command line into a question.

import type { Audience, Hub } from "@holdpoint/hub"
import { form as buildForm, canAnswer, choice, inbox } from "@holdpoint/hub"
import { askAndWait, createAskTerminal } from "../ask-and-wait.ts"
import type { Call, Command } from "../command.ts"
import type { Settings } from "../config.ts"
import { toDuration, toMilliseconds } from "../duration.ts"
import { answerLabelFlags, fieldFlags, readAnswerLabels, readForm } from "../fields.ts"
import { findPeople, toId } from "../find-people.ts"
import { isInteractive } from "../io.ts"
import { type Session, type StorageSession, withHubOn, withStorage } from "../session.ts"
import { askInCall, isInCall } from "../shell/ask-in-call.ts"
import { wrongUse } from "../wrong-use.ts"

export const ask: Command = {
  name: "ask",
  summary: "Ask a person and wait for the answer.",
  usage: "MESSAGE [fields] [flags]",
  words: { least: 1, most: 1 },
  usesDatabase: true,
  flags: {
    ...answerLabelFlags,
    ...fieldFlags,
    url: { value: "URL", help: "ask to open this address instead; {id} stands for the question's id" },
    to: {
      value: "PERSON",
      help: "who may answer, by name, e-mail or id (default you); may be repeated: any of them may answer",
      repeats: true,
    },
    "to-role": { value: "ROLE", help: "anyone with this role may answer" },
    key: { value: "KEY", help: "a second ask with this key joins the same question" },
    approvals: { value: "N", help: "how many different people have to say yes; the first no ends the question" },
    timeout: { value: "TIME", help: "how long the question stays open: 30s, 5m, 2h, 7d (default 5m)" },
    "no-wait": { help: "print the id and do not wait" },
    from: { value: "NAME", help: "who asks (default shell)" },
  },
  notes: [
    "A question without fields takes yes or no, and the exit code is the answer:",
    '  holdpoint ask "Deploy to production?" && ./deploy.sh',
    '  holdpoint ask "The tests are green." --yes "Deploy" --no "Not now" && ./deploy.sh',
    "",
    "With fields, the answer is JSON on standard output:",
    "  answer=$(holdpoint ask 'Where to?' --choice env=staging,production --integer percent --text note --optional note)",
    "",
    "--to finds people who have signed in to `holdpoint serve` on the same database. It also takes SUBJECT@ISSUER.",
    "",
    "Inside a tool of `holdpoint shell`, the question is asked in the tool's call, without a database.",
    "",
    "Exit code: 0 completed; 1 answered with --no, declined, cancelled, expired, failed or unsupported (--json says which).",
    "Ctrl-C withdraws the question. A killed program leaves the question open: ask again with the same --key to",
    "find it.",
    "A question with --url ends when the program behind that page runs: holdpoint complete ID.",
  ],
  async run(call) {
    if (isInCall(call.io)) return askInCall(call)
    const settings = await call.settings()
    const draft = toDraft(call, settings)
    assertAudience(call)
    return withStorage(call, { mustExist: false }, async (session) => {
      const audience = await toAudience(call, session)
      const canAnswerHere = canAnswer({ audience }, settings.me)
      const isAskedHere = canAnswerHere && isInteractive(call.io) && !call.args.has("no-wait")
      const outlets = (hub: Hub) => [inbox("command"), ...(isAskedHere ? [createAskTerminal(call, settings, hub)] : [])]
      const work = (session: Session) => askAndWait(call, session, { ...draft, audience }, isAskedHere)
      return withHubOn(call, session, { outlets, work })
    })
  },
}

/** The question without its audience, which is looked up in the database. */
function toDraft({ args, io }: Call, { limits }: Settings) {
  const [message = ""] = args.words
  const approvals = toApprovals(args.one("approvals"))
  const words = readAnswerLabels(args, message)
  const isForm = args.flags.some(({ name }) => Object.hasOwn(fieldFlags, name))
  const form = words ?? (approvals === undefined || isForm ? readForm(args, io) : decision)
  const url = args.one("url")
  if (url !== undefined && isForm)
    throw wrongUse("A question has fields or an address, not both.", "Ask two questions.")
  const key = args.one("key")
  const base = {
    message,
    requester: { id: args.one("from") ?? "shell" },
    context: { trigger: "shell" },
    lifetimeMs: toLifetime(args.one("timeout") ?? "5m", limits),
    ...(key === undefined ? {} : { key }),
    ...(approvals === undefined ? {} : { approvals }),
  } as const
  return url === undefined ? { ...base, form } : { ...base, url: (id: string) => url.replaceAll("{id}", id) }
}

/** The form for --approvals: only votes between a Yes and a No can be counted. */
const decision = buildForm({ confirmed: choice({ yes: "Yes", no: "No" }, { title: "Your answer" }) })

function toApprovals(text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  if (/^[1-9]\d{0,2}$/.test(text)) return Number(text)
  throw wrongUse(`--approvals takes a number of people, not “${text}”.`, "For example: --approvals 2.")
}

function assertAudience({ args }: Call): void {
  if (!args.has("to-role") || !args.has("to")) return
  throw wrongUse("--to and --to-role do not go together.", "Use one of them.")
}

async function toAudience(call: Call, session: StorageSession): Promise<Audience> {
  const { me } = session.settings
  const [role, names] = [call.args.one("to-role"), call.args.all("to")]
  if (role !== undefined) return { kind: "role", tenant: me.tenant, role }
  const principals = names.every((word) => word === "me") ? [toId(me)] : await findPeople(call, session, names)
  const [first, ...otherPrincipals] = principals
  return first !== undefined && otherPrincipals.length === 0
    ? { kind: "one", principal: first }
    : { kind: "any", principals }
}

function toLifetime(text: string, { minLifetimeMs, maxLifetimeMs }: Settings["limits"]): number {
  const lifetime = toMilliseconds(text)
  if (lifetime === undefined) {
    throw wrongUse(`“${text}” is not a length of time.`, "Write --timeout 30s, 5m, 2h or 7d.")
  }
  if (lifetime >= minLifetimeMs && lifetime <= maxLifetimeMs) return lifetime
  const rangeText = `between ${toDuration(minLifetimeMs)} and ${toDuration(maxLifetimeMs)}`
  throw wrongUse(
    `--timeout ${text} is not ${rangeText}.`,
    "limits.minLifetimeMs and limits.maxLifetimeMs set the bounds.",
  )
}
