// Converts JSON to a draft, and a question to JSON. Pure: the hub validates what needs its settings or storage.

import type { Audience, Draft, Elicitation, Problem } from "@holdpoint/hub"
import { type Addresses, paths } from "@holdpoint/hub"
import { type ConfirmWords, confirmForm } from "@holdpoint/hub/forms"
import { isObject, type Json, unknownName, visitDraft, visitedAddress } from "@holdpoint/hub/internal"
import type { WireAudience, WireQuestion } from "@holdpoint/hub/wire"
import { approvalMembers, readApprovals, toWireApprovals } from "./approvals.ts"
import { readPerson, toTime, toWirePerson } from "./json.ts"

/**
 * The data of a question that are not in its body: the asker, the addresses of the pages, and the key in the header.
 */
export interface Asker {
  readonly tenant: string
  readonly requester: { readonly id: string; readonly name: string }
  readonly addresses: Addresses
  readonly key: string | undefined
}

/** A parsed question: its draft, or the draft without an audience and the problems with its shape. */
export interface ReadQuestion {
  readonly draft: Draft
  readonly problems: readonly Problem[]
}

const members = ["message", "form", "url", "confirm", "audience", "lifetimeMs", "key", ...approvalMembers]

/** Reads a question. A draft with problems in its shape has no audience, so that the hub does not store it. */
export function readQuestion(body: Json, asker: Asker): ReadQuestion {
  const audience = readAudience(body.audience, asker.tenant)
  const approvals = readApprovals(body, asker.tenant)
  const problems = [
    ...Object.keys(body).flatMap(unknownMember),
    ...approvals.problems,
    ...modeProblems(body),
    ...keyProblems(body, asker),
    ...(Array.isArray(audience) ? audience : []),
  ]
  const validAudience = problems.length > 0 || Array.isArray(audience) ? undefined : audience
  const draft = toDraft(body, asker, validAudience as Audience | undefined)
  return { draft: { ...draft, ...approvals.rules } as Draft, problems }
}

function toDraft(body: Json, { requester, addresses, key }: Asker, audience: Audience | undefined): Draft {
  const { message, form, url, confirm, lifetimeMs } = body
  const questionKey = key ?? body.key
  const base = {
    ...{ message, audience, requester },
    ...(lifetimeMs === undefined ? {} : { lifetimeMs }),
    ...(questionKey === undefined ? {} : { key: questionKey }),
  } as Pick<Draft, "message" | "audience" | "requester">
  if (typeof url === "string") return visitDraft({ ...base, address: url, context: approval }, addresses)
  const words = isObject(confirm) ? (confirm as ConfirmWords) : {}
  const askedForm = confirm === undefined ? form : confirmForm(words, typeof message === "string" ? message : "")
  // The hub lists the problems of a value that is not a form.
  return { ...base, form: (askedForm ?? undefined) as never }
}

const approval = { trigger: "approval" } as const

const unknownMember = (name: string): readonly Problem[] =>
  members.includes(name) ? [] : [unknownName(name, name, members)]

function modeProblems({ form, url, confirm }: Json): readonly Problem[] {
  const modes = Object.entries({ form, url, confirm }).filter(([, value]) => value !== undefined)
  if (modes.length > 1)
    return [{ path: "", message: `has ${modes.map(([name]) => name).join(" and ")}`, suggestion: "Give one of them." }]
  if (form !== undefined && !isObject(form))
    return [
      { path: "form", message: "must be a JSON Schema", suggestion: 'Use { "type": "object", "properties": … }.' },
    ]
  if (url !== undefined && typeof url !== "string") return [{ path: "url", message: "must be text" }]
  return confirm === undefined ? [] : confirmProblems(confirm)
}

function confirmProblems(confirm: unknown): readonly Problem[] {
  if (confirm === true) return []
  const words = isObject(confirm) ? Object.entries(confirm) : [["", undefined]]
  const isComplete = words.every(([name, word]) => /^(?:yes|no)$/.test(name as string) && isWord(word))
  const suggestion = 'Use true, or { "yes": "Deploy", "no": "Not now" }.'
  return isComplete ? [] : [{ path: "confirm", message: "must be true or the words of the two answers", suggestion }]
}

const isWord = (value: unknown): boolean => typeof value === "string" && value.trim() !== "" && value.length <= 100

function keyProblems(body: Json, { key }: Asker): readonly Problem[] {
  if (key === undefined || body.key === undefined || key === body.key) return []
  return [{ path: "key", message: "differs from the header Idempotency-Key", suggestion: "Send only one of them." }]
}

/** Reads the audience, or returns its problems. */
function readAudience(value: unknown, tenant: string): Audience | Problem[] {
  if (!isObject(value)) return [{ path: "audience", message: "must say who may answer", suggestion: audienceRule }]
  const names = Object.keys(value).sort().join(" ")
  if (names === "role" && typeof value.role === "string") return { kind: "role", tenant, role: value.role }
  if (names === "people" && Array.isArray(value.people)) return readPeople(value.people, tenant)
  const person = readPerson(value, tenant)
  return person === undefined
    ? [{ path: "audience", message: "is not an audience", suggestion: audienceRule }]
    : { kind: "one", principal: person }
}

function readPeople(people: readonly unknown[], tenant: string): Audience | Problem[] {
  const read = people.map((one) => readPerson(one, tenant))
  const problems = read.flatMap((one, at) =>
    one === undefined ? [{ path: `audience.people.${at}`, message: "must be { issuer, subject }" }] : [],
  )
  return problems.length > 0 ? problems : { kind: "any", principals: read.filter((one) => one !== undefined) }
}

const audienceRule =
  'Use { "issuer": …, "subject": … } for a person, { "people": [ … ] } for several, or { "role": … }.'

/** Converts a question to JSON for its program. */
export function toWireQuestion(elicitation: Elicitation, addresses: Addresses): WireQuestion {
  const { id, status, mode, message, key, createdAt, expiresAt, openedAt, settledAt, reason, said } = elicitation
  const { answeredBy, answeredVia, content } = elicitation
  const url = visitedAddress(elicitation, addresses)
  return {
    ...{ id, status, mode, message },
    ...(mode === "form" ? { form: elicitation.requestedSchema } : { url: url ?? elicitation.url }),
    audience: toWireAudience(elicitation.audience),
    page: mode === "form" ? addresses.to(paths.question, id) : elicitation.url,
    ...(key === undefined ? {} : { key }),
    ...{ createdAt: toTime(createdAt), expiresAt: toTime(expiresAt) },
    ...(openedAt === undefined ? {} : { openedAt: toTime(openedAt) }),
    ...(settledAt === undefined ? {} : { settledAt: toTime(settledAt) }),
    ...(content === undefined ? {} : { content }),
    ...(said === undefined ? {} : { said }),
    ...(answeredBy === undefined ? {} : { answeredBy: toWirePerson(answeredBy) }),
    ...(answeredVia === undefined ? {} : { answeredVia }),
    ...(reason === undefined ? {} : { reason }),
    ...toWireApprovals(elicitation),
  }
}

function toWireAudience(audience: Audience): WireAudience {
  switch (audience.kind) {
    case "one":
      return toWirePerson(audience.principal)
    case "any":
      return { people: audience.principals.map(toWirePerson) }
    case "role":
      return { role: audience.role }
  }
}

/** Reads the idempotency key from the header, with or without the quotes of a structured field (RFC 8941 §3.3.3). */
export function readKeyHeader(header: string | null): string | undefined {
  if (header === null) return undefined
  const quotedText = /^"((?:[^"\\]|\\["\\])*)"$/.exec(header.trim())?.[1]
  return quotedText === undefined ? header.trim() : quotedText.replaceAll(/\\(["\\])/g, "$1")
}
