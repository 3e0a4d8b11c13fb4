// Turns an asker's draft into a well-formed elicitation, or throws a list of every problem. All checks that need no
// store are made here.

import type { Escalation } from "./agenda.ts"
import { agendaProblems } from "./agenda.ts"
import type { JsonSchema, StandardJsonSchema } from "./compile.ts"
import { compile } from "./compile.ts"
import { isTooDeep, tooDeepWords } from "./depth.ts"
import type { AskingClient, Context, Detail, Elicitation, KeyReuse, Mode, Requester } from "./elicitation.ts"
import type { ErrorCode, Problem } from "./error.ts"
import { HoldpointError } from "./error.ts"
import type { Content, Form } from "./form.ts"
import type { Limits } from "./limits.ts"
import { defaultLifetimeMs } from "./limits.ts"
import type { Audience, PrincipalId } from "./principal.ts"
import { addresseeKeysOf, tenantOf, toPrincipalId } from "./principal.ts"
import type { SecretRule } from "./secret.ts"
import { nameProblem, textProblem } from "./text.ts"
import { checkUrl } from "./url.ts"
import { approvalProblems } from "./votes.ts"

interface DraftBase {
  readonly message: string
  /**
   * The whole text, for a form whose message is shortened. A Yes counts only from a place that shows it; other places
   * lead to `page`, which may be a function of the elicitation's id.
   */
  readonly detail?: DraftDetail | undefined
  /** One person, or an audience. */
  readonly audience: PrincipalId | Audience
  readonly requester: Requester
  readonly client?: AskingClient
  /** May be a function of the elicitation's id. */
  readonly context?: Context | ((id: string) => Context)
  readonly parent?: string
  readonly lifetimeMs?: number
  /** The same asker using the same key again gets the same elicitation. */
  readonly key?: string
  readonly keyReuse?: KeyReuse
  /** Widens the open question with this key; returns undefined when it already covers everything. Pure. */
  readonly widen?: Widen
  /**
   * How many different people of the audience have to say Yes to a yes-or-no question; 1 by default. The first No
   * declines it.
   */
  readonly approvals?: number
  /** A person who may not answer although they belong to the audience: the one on whose behalf the program asks. */
  readonly notBy?: PrincipalId
  /** Reminds people who have not answered, in this interval, through the lasting outlets. */
  readonly remindEveryMs?: number
  /** Lets people with another role answer too, after a time. */
  readonly escalate?: Escalation
}

/** The whole text of a question, and the page of this server that shows it. */
export interface DraftDetail {
  readonly text: string
  readonly page: string | ((id: string) => string)
}

/** Returns the new message and context of an open question. */
export type Widen = (current: Elicitation) => Pick<Elicitation, "message" | "context"> | undefined

/** What a form may be written as: `form()`, JSON Schema, or a schema of zod 4 or ArkType 2. */
export type FormSource<C extends Content = Content> = Form<C> | JsonSchema | StandardJsonSchema<C>

/** What an asker writes. The url may be a function of the elicitation's id. */
export type Draft<C extends Content = Content> = FormDraft<C> | UrlDraft
export type FormDraft<C extends Content> = DraftBase & { readonly form: FormSource<C>; readonly url?: never }
export type UrlDraft = DraftBase & { readonly url: string | ((id: string) => string); readonly form?: never }

/** What a draft needs to become a question. */
export interface Creation {
  readonly id: string
  readonly now: number
  readonly limits: Limits
  readonly secrets: SecretRule
}

export function toElicitation(draft: Draft, creation: Creation): Elicitation {
  const context = typeof draft.context === "function" ? draft.context(creation.id) : (draft.context ?? approval)
  const problems = draftProblems({ ...draft, context }, creation.limits)
  if (problems.length > 0) throw invalid("invalid_question", unaskable, problems)
  const audience = toAudience(draft.audience)
  const base = {
    id: creation.id,
    tenant: tenantOf(audience),
    message: draft.message,
    ...(draft.detail === undefined ? {} : { detail: toDetail(draft.detail, creation.id) }),
    audience,
    requester: draft.requester,
    ...(draft.client === undefined ? {} : { client: draft.client }),
    context,
    ...(draft.parent === undefined ? {} : { parent: draft.parent }),
    ...(draft.key === undefined ? {} : { key: draft.key, keyReuse: draft.keyReuse ?? "always" }),
    ...(draft.widen === undefined ? {} : { grows: true }),
    ...approvalRules(draft),
    createdAt: creation.now,
    status: "pending",
    revision: 1,
    holders: 1,
    expiresAt: creation.now + (draft.lifetimeMs ?? defaultLifetimeMs),
  } as const
  if (draft.form !== undefined) {
    const requestedSchema = toSafeForm(draft, creation.secrets)
    assertReachable(draft, audience, requestedSchema)
    return { ...base, mode: "form", requestedSchema }
  }
  assertReachable(draft, audience, undefined)
  const url = toSafeUrl(typeof draft.url === "function" ? draft.url(creation.id) : draft.url)
  assertNoSecretsIn([url, context.address], creation.secrets)
  return { ...base, mode: "url", url }
}

const toDetail = ({ text, page }: DraftDetail, id: string): Detail => ({
  text,
  page: toSafeUrl(typeof page === "function" ? page(id) : page),
})

/** The fields of a draft that say who decides, when people are reminded, and whom an escalation reaches. */
function approvalRules({ approvals, notBy, remindEveryMs, escalate }: Draft): Partial<Elicitation> {
  return {
    ...(approvals === undefined || approvals === 1 ? {} : { approvals }),
    ...(notBy === undefined ? {} : { notBy: toPrincipalId(notBy) }),
    ...(remindEveryMs === undefined ? {} : { remindEveryMs }),
    ...(escalate === undefined ? {} : { escalate: { afterMs: escalate.afterMs, role: escalate.role } }),
  }
}

function assertReachable(draft: Draft, audience: Audience, form: Form | undefined): void {
  const { approvals, notBy, escalate } = draft
  const problems = approvalProblems({ approvals, form, audience, notBy, isEscalated: escalate !== undefined })
  if (problems.length > 0) throw invalid("invalid_question", unaskable, problems)
}

const unaskable = "The question cannot be asked as it is written"

const approval: Context = Object.freeze({ trigger: "approval" })

/** True when two asks with one key are the same question; addresses derived from the ids count as equal. */
export function isSameQuestion(a: Elicitation, b: Elicitation): boolean {
  if (a === b) return true
  // The message of a question that grows may have changed.
  return fingerprint(a) === fingerprint(b.grows === true ? { ...b, message: a.message } : b)
}

function fingerprint(elicitation: Elicitation): string {
  const { mode, message, audience, id, context } = elicitation
  // The foreign address to which a page of this server leads, if the question has one.
  const address = String(context.address ?? "")
  const formOrAddresses =
    mode === "form"
      ? elicitation.requestedSchema
      : [elicitation.url, address].map((text) => text.replaceAll(id, "{id}"))
  const { approvals, notBy, remindEveryMs, escalate } = elicitation
  const detail = elicitation.detail?.text
  return JSON.stringify([
    mode,
    message,
    addresseeKeysOf(audience),
    formOrAddresses,
    { approvals, notBy, remindEveryMs, escalate, detail },
  ])
}

/** Checks the message and the context of a widened question like those of a new one. Throws `invalid_question`. */
export function assertWider(wider: ReturnType<Widen>, limits: Limits): void {
  if (wider === undefined) return
  const texts = Object.entries(wider.context).flatMap(([name, value]) =>
    typeof value === "string" ? [{ path: `context.${name}`, message: textProblem(value, contextLength) }] : [],
  )
  const checks = [{ path: "message", message: textProblem(wider.message, limits.messageLength) }, ...texts]
  const problems = checks.flatMap(({ path, message }) => (message === undefined ? [] : [{ path, message }]))
  if (problems.length > 0) throw invalid("invalid_question", "The question cannot be widened like this", problems)
}

/** The unique name of a question's key, which includes the tenant and the requester. Undefined without a key. */
export function uniqueKeyOf({
  tenant,
  requester,
  key,
}: Pick<Elicitation, "tenant" | "requester" | "key">): string | undefined {
  return key === undefined ? undefined : JSON.stringify([tenant, requester.id, key])
}

function toSafeForm(
  draft: Pick<DraftBase, "message" | "detail"> & { readonly form: FormSource },
  secrets: SecretRule,
): Form {
  const form = compileOnce(draft.form)
  const texts = draft.detail === undefined ? [draft.message] : [draft.message, draft.detail.text]
  const problems = [...secrets.inForm(form), ...texts.flatMap((text) => secrets.inMessage(text))]
  if (problems.length > 0) throw invalid("secret_in_form", "A form must not ask for secrets", problems)
  return form
}

/** Compiled forms by their source. */
const compiled = new WeakMap<object, Form>()

/** Compiles a source only once if it cannot change: programs ask with the same form again and again. */
export function compileOnce(source: FormSource): Form {
  const cached = compiled.get(source)
  if (cached !== undefined) return cached
  const form = compile(source)
  if (isImmutable(source)) compiled.set(source, freezeForm(form))
  return form
}

/** Freezes a form, so that the rule about secrets can cache its findings by the form object. */
function freezeForm(form: Form): Form {
  for (const field of Object.values(form.properties)) Object.freeze(field)
  Object.freeze(form.properties)
  return Object.freeze(form)
}

const isImmutable = (source: FormSource): boolean =>
  "~standard" in source || (Object.isFrozen(source) && Object.isFrozen(source.properties))

/** The address in normal form. Throws `unsafe_url` with every problem when no person may be sent there. */
export function toSafeUrl(url: string): string {
  const urlCheck = checkUrl(url)
  if (urlCheck.ok) return urlCheck.url
  throw unsafe(urlCheck.problems)
}

/** Checks the question's own address and, if that is our page, the foreign address to which the page leads. */
function assertNoSecretsIn(addresses: readonly unknown[], secrets: SecretRule): void {
  const texts = addresses.filter((address) => typeof address === "string")
  const problems = texts.flatMap((address) => secrets.inAddress(address))
  if (problems.length > 0) throw unsafe(problems)
}

const unsafe = (problems: readonly Problem[]): HoldpointError =>
  invalid("unsafe_url", "The address cannot be given to a person", problems)

function toAudience(audience: PrincipalId | Audience): Audience {
  if (!("kind" in audience)) return { kind: "one", principal: toPrincipalId(audience) }
  switch (audience.kind) {
    case "one":
      return { kind: "one", principal: toPrincipalId(audience.principal) }
    case "any":
      return { kind: "any", principals: audience.principals.map(toPrincipalId) }
    case "role":
      return { kind: "role", tenant: audience.tenant, role: audience.role }
  }
}

/** A draft whose context is a value, not a function. */
type ResolvedDraft = Draft & { readonly context: Context }

function draftProblems(draft: ResolvedDraft, limits: Limits): readonly Problem[] {
  const mode: Mode | undefined = draft.form !== undefined ? "form" : draft.url !== undefined ? "url" : undefined
  const problems: Problem[] = []
  const report = (path: string, message: string | undefined, suggestion?: string) => {
    if (message !== undefined) problems.push({ path, message, ...(suggestion === undefined ? {} : { suggestion }) })
  }
  if (mode === undefined)
    report("", "needs a form or a url", "Give `form` for an answer, or `url` for a page to visit.")
  if (draft.form !== undefined && draft.url !== undefined) report("", "has both a form and a url", "Ask two questions.")
  report("message", textProblem(draft.message, limits.messageLength))
  if (draft.detail !== undefined) {
    report("detail.text", textProblem(draft.detail.text, detailLength))
    if (mode === "url") report("detail", "belongs to a form", "Show the text on the page of the link.")
  }
  report("requester.id", nameProblem(draft.requester?.id))
  if (draft.requester?.name !== undefined) report("requester.name", textProblem(draft.requester.name, 200))
  if (draft.client !== undefined) report("client.name", textProblem(draft.client.name, 200))
  if (draft.client?.version !== undefined) report("client.version", textProblem(draft.client.version, 100))
  if (draft.key !== undefined) report("key", nameProblem(draft.key))
  if (draft.parent !== undefined) report("parent", textProblem(draft.parent, 500))
  for (const [name, value] of Object.entries(draft.context)) {
    if (typeof value === "string") report(`context.${name}`, textProblem(value, contextLength))
    else if (isTooDeep(value)) report(`context.${name}`, tooDeepWords, "Use flatter values.")
  }
  const lifetimeMs = draft.lifetimeMs ?? defaultLifetimeMs
  problems.push(...lifetimeProblems(lifetimeMs, limits), ...audienceProblems(draft))
  problems.push(...agendaProblems({ ...draft, lifetimeMs }), ...exclusionProblems(draft))
  return problems
}

/** The longest whole text of a question, in characters. */
export const detailLength = 100_000

/** Long enough for an account's scopes, which some providers write as URLs. */
const contextLength = 8_000

function lifetimeProblems(lifetimeMs: number, limits: Limits): readonly Problem[] {
  if (Number.isInteger(lifetimeMs) && lifetimeMs >= limits.minLifetimeMs && lifetimeMs <= limits.maxLifetimeMs)
    return []
  const [least, most] = [limits.minLifetimeMs / 1_000, limits.maxLifetimeMs / 1_000]
  return [{ path: "lifetimeMs", message: `must be a whole number of milliseconds, from ${least} s to ${most} s` }]
}

function audienceProblems({ audience, context }: ResolvedDraft): readonly Problem[] {
  if (audience === undefined) return [{ path: "audience", message: "is missing", suggestion: "Say who may answer." }]
  const resolved = toAudience(audience)
  const people = resolved.kind === "one" ? [resolved.principal] : resolved.kind === "any" ? resolved.principals : []
  const problems: Problem[] = []
  if (resolved.kind === "any" && (people.length === 0 || people.length > 100)) {
    problems.push({ path: "audience.principals", message: "must name between 1 and 100 people" })
  }
  if (new Set(people.map((person) => person.tenant)).size > 1) {
    problems.push({ path: "audience.principals", message: "must all belong to one tenant" })
  }
  const texts = people.flatMap((person) => [person.tenant, person.issuer, person.subject])
  if (resolved.kind === "role") texts.push(resolved.tenant, resolved.role)
  for (const problem of new Set(texts.map(nameProblem))) {
    if (problem !== undefined) problems.push({ path: "audience", message: `every part ${problem}` })
  }
  // The account of a project belongs to no person, so a role is asked: the project's administrators.
  const isProjectAccount = context.owner === "project"
  if (context.trigger === "credential_required" && resolved.kind !== "one" && !isProjectAccount) {
    const suggestion = "An account belongs to one person: address the question to that person alone."
    problems.push({
      path: "audience",
      message: "must be exactly one person when the question is about an account",
      suggestion,
    })
  }
  return problems
}

function exclusionProblems({ notBy, escalate, audience, context }: ResolvedDraft): readonly Problem[] {
  const problems: Problem[] = []
  const parts = notBy === undefined ? [] : [notBy.tenant, notBy.issuer, notBy.subject]
  for (const problem of new Set(parts.map(nameProblem)))
    if (problem !== undefined) problems.push({ path: "notBy", message: `every part ${problem}` })
  if (notBy !== undefined && audience !== undefined && notBy.tenant !== tenantOf(toAudience(audience)))
    problems.push({ path: "notBy", message: "must belong to the tenant of the audience" })
  if (escalate !== undefined && context.trigger === "credential_required")
    problems.push({ path: "escalate", message: "is not possible when the question is about an account" })
  return problems
}

function invalid(code: ErrorCode, summary: string, problems: readonly Problem[]): HoldpointError {
  const lines = problems.map(({ path, message, suggestion }) =>
    [path === "" ? "question" : path, message, suggestion === undefined ? "" : `(${suggestion})`].join(" ").trim(),
  )
  return new HoldpointError(code, `${summary}: ${lines.join("; ")}`, { problems })
}
