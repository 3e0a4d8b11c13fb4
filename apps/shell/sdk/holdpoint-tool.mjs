// What a tool in Node needs: arguments, questions to people, progress, log lines and results. One file, Node 18 or
// newer, no dependencies. Standard output is the result of the tool, and only result(), error() and fail() write there.

// @ts-check
import { randomUUID } from "node:crypto"
import { appendFileSync, existsSync, readFileSync, renameSync, unlinkSync, watch, writeFileSync } from "node:fs"
import { dirname } from "node:path"

/**
 * The answer to a question. A No, an expired question and a client that cannot ask are answers too.
 * @typedef {object} Answer
 * @property {"accept" | "decline" | "cancel" | "error"} action
 * @property {boolean} accepted whether the action is "accept"
 * @property {Record<string, any> | null} content what the person entered; only with "accept"
 * @property {string} [reason] why there is no answer: "unsupported", "expired", "timed_out", "client_error", …
 * @property {string} [message] the same in words for people
 * @property {boolean} [completed] for links: whether the page reported that the person finished there
 */

/**
 * @typedef {object} AskOptions
 * @property {number} [timeout] seconds that the person has
 * @property {AbortSignal} [signal] takes the question back everywhere when it aborts
 */

/**
 * Values, [value, title] pairs, or an object of value to title.
 * @typedef {readonly (string | readonly [string, string])[] | Readonly<Record<string, string>>} Choices
 */

/** @typedef {Readonly<Record<string, unknown>>} JsonObject */

// ---- arguments

/**
 * The arguments of this call.
 * @returns {Record<string, any>}
 */
export const args = () => payload("MCP_TOOL_ARGS")

/**
 * The `_meta` of the request.
 * @returns {Record<string, any>}
 */
export const meta = () => payload("MCP_TOOL_META")

/**
 * One argument; ends the call with "invalid params" when it is missing.
 * @param {string} name
 * @param {string} [message]
 * @returns {any}
 */
export function require(name, message = `The argument “${name}” is required.`) {
  return args()[name] ?? fail(-32602, message)
}

/**
 * The folders that the client works in.
 * @returns {string[]}
 */
export const roots = () => (process.env.MCP_ROOTS_PATHS ?? "").split("\n").filter((line) => line !== "")

// ---- questions: several may be open at the same time, with Promise.all

/**
 * Whether a question of this mode can reach a person.
 * @param {"form" | "url"} [mode]
 * @returns {boolean}
 */
export const canAsk = (mode = "form") =>
  (process.env[`MCP_ELICIT_${mode.toUpperCase()}`] ?? process.env.MCP_ELICIT_SUPPORTED) === "1"

/**
 * Asks with a schema of your own: an object with flat properties.
 * @param {string} message
 * @param {JsonObject} schema
 * @param {AskOptions} [options]
 * @returns {Promise<Answer>}
 */
export const ask = (message, schema, options = {}) => exchange({ message, schema, mode: "form" }, options)

/**
 * Asks for several fields at once: name to JSON Schema, all required but the optional ones.
 * @param {string} message
 * @param {Readonly<Record<string, JsonObject>>} fields
 * @param {AskOptions & { optional?: readonly string[] }} [options]
 * @returns {Promise<Answer>}
 */
export function askForm(message, fields, { optional = [], ...options } = {}) {
  const required = Object.keys(fields).filter((name) => !optional.includes(name))
  return ask(message, { type: "object", properties: fields, required }, options)
}

/**
 * True when a person said Yes. False for everything else: a No, no answer in time, no person to ask.
 * @param {string} message
 * @param {AskOptions & { yes?: string, no?: string }} [options]
 * @returns {Promise<boolean>}
 */
export async function confirm(message, options) {
  const { accepted, content } = await askConfirm(message, options)
  return accepted && content?.confirmed === true
}

/**
 * Yes or No, with words for the two if you like. Content: `{ confirmed: boolean }`.
 * @param {string} message
 * @param {AskOptions & { yes?: string, no?: string }} [options]
 * @returns {Promise<Answer>}
 */
export function askConfirm(message, { yes, no, ...options } = {}) {
  const schema = { type: "object", properties: { confirmed: { type: "boolean" } }, required: ["confirmed"] }
  return exchange({ message, schema, mode: "form", yes, no }, options)
}

/**
 * One of several. Content: `{ choice: value }`.
 * @param {string} message
 * @param {Choices} choices
 * @param {AskOptions & { default?: string }} [options]
 * @returns {Promise<Answer>}
 */
export function askChoice(message, choices, { default: preset, ...options } = {}) {
  return askForm(message, { choice: { type: "string", ...toValueSchema(choices, "oneOf"), default: preset } }, options)
}

/**
 * Any number of several. Content: `{ choices: [value, …] }`.
 * @param {string} message
 * @param {Choices} choices
 * @param {AskOptions & { default?: readonly string[], minItems?: number, maxItems?: number }} [options]
 * @returns {Promise<Answer>}
 */
export function askChoices(message, choices, { default: preset, minItems, maxItems, ...options } = {}) {
  const valueSchema = toValueSchema(choices, "anyOf")
  const items = "enum" in valueSchema ? { type: "string", ...valueSchema } : valueSchema
  return askForm(message, { choices: { type: "array", items, minItems, maxItems, default: preset } }, options)
}

/**
 * A text. Other options are JSON Schema: `title`, `description`, `default`, `maxLength`, `format`, …
 * Content: `{ [field]: text }`.
 * @param {string} message
 * @param {AskOptions & { field?: string, required?: boolean } & JsonObject} [options]
 * @returns {Promise<Answer>}
 */
export const askText = (message, options = {}) => askField(message, { type: "string" }, options)

/**
 * A number; `minimum`, `maximum` and `default` as in JSON Schema. Content: `{ [field]: number }`.
 * @param {string} message
 * @param {AskOptions & { field?: string, required?: boolean, whole?: boolean } & JsonObject} [options]
 * @returns {Promise<Answer>}
 */
export const askNumber = (message, { whole = false, ...options } = {}) =>
  askField(message, { type: whole ? "integer" : "number" }, options)

/**
 * A day, as "2026-01-31". Content: `{ [field]: text }`.
 * @param {string} message
 * @param {AskOptions & { field?: string, required?: boolean } & JsonObject} [options]
 * @returns {Promise<Answer>}
 */
export const askDate = (message, options = {}) => askField(message, { type: "string", format: "date" }, options)

/**
 * Asks the person to open a page. "accept" means that they agreed to open it; with `wait` the answer comes when the page
 * reported that they finished, and `completed` says so.
 * @param {string} message
 * @param {string} url
 * @param {AskOptions & { wait?: boolean }} [options]
 * @returns {Promise<Answer>}
 */
export const askUrl = (message, url, { wait = false, ...options } = {}) =>
  exchange({ message, url, mode: "url", ...(wait ? { wait } : {}) }, options)

/**
 * An account of the person at a provider, connected when it is not yet. Content: provider, account, scopes, and the path
 * of a local socket whose requests are sent on with fresh credentials.
 * @param {string} provider
 * @param {AskOptions & { scopes?: readonly string[], message?: string }} [options]
 * @returns {Promise<Answer>}
 */
export const askConnection = (provider, { scopes, message, ...options } = {}) =>
  exchange({ message: message ?? `Connect your ${provider} account.`, mode: "connection", provider, scopes }, options)

// ---- while it runs

/**
 * Tells how far the work is. Does nothing when the client does not want to know.
 * @param {number} done
 * @param {string} [message]
 * @param {number} [total]
 */
export function progress(done, message, total) {
  const progressToken = process.env.MCP_PROGRESS_TOKEN
  if (progressToken === undefined || progressToken === "") return
  const params = { progressToken, progress: done, total: total ?? null, message: message ?? null }
  append("MCP_PROGRESS_STREAM", "notifications/progress", params)
}

/**
 * A log line for the client.
 * @param {"debug" | "info" | "notice" | "warning" | "error" | "critical" | "alert" | "emergency"} level
 * @param {unknown} data
 * @param {string} [logger]
 */
export function log(level, data, logger = process.env.MCP_TOOL_NAME ?? "tool") {
  append("MCP_LOG_STREAM", "notifications/message", { level, logger, data })
}

/**
 * Whether the call was cancelled. The process is ended soon after: tidy up and leave.
 * @returns {boolean}
 */
export const cancelled = () => process.env.MCP_CANCEL_FILE !== undefined && existsSync(process.env.MCP_CANCEL_FILE)

// ---- the end

/**
 * Prints the result and ends the program: `{ success: true, result: data }`, as structured content and as text.
 * @param {unknown} data
 * @returns {never}
 */
export function result(data) {
  const structuredContent = { success: true, result: data ?? null }
  return printLast({ content: [text(JSON.stringify(structuredContent))], structuredContent, isError: false })
}

/**
 * Prints an error that the model can read and act on, and ends the program, so that nothing is done after it.
 * @param {string} type
 * @param {string} message
 * @param {{ hint?: string, data?: unknown }} [more]
 * @returns {never}
 */
export function error(type, message, { hint, data } = {}) {
  const structuredContent = { success: false, error: { type, message, hint, data } }
  return printLast({ content: [text(message)], structuredContent, isError: true })
}

/**
 * Ends the program and the call with a JSON-RPC error.
 * @param {number} code
 * @param {string} message
 * @param {unknown} [data]
 * @returns {never}
 */
export function fail(code, message, data = null) {
  const path = process.env.MCP_TOOL_ERROR_FILE
  if (path !== undefined && path !== "") writeFileSync(path, `${JSON.stringify({ code, message, data })}\n`)
  process.stderr.write(`${message}\n`)
  process.exit(1)
}

// ---- the exchange of files with the server

const checkMs = 1_000
let questionCount = 0

/**
 * @param {JsonObject} request
 * @param {AskOptions} options
 * @returns {Promise<Answer>}
 */
async function exchange(request, { timeout, signal }) {
  const slot = /^(.*)\.request$/s.exec(process.env.MCP_ELICIT_REQUEST_FILE ?? "")?.[1]
  if (process.env.MCP_ELICIT_SUPPORTED !== "1" || slot === undefined) {
    const message = "There is no way to ask a person in this call."
    return { action: "error", accepted: false, content: null, reason: "unsupported", message }
  }
  const base = claim(slot)
  const response = `${base}.response`
  const withdraw = () => put(`${base}.cancel`, {})
  // Watched before the request is there, so that no answer is too fast.
  const hasAnswer = waitForFile(response)
  put(`${base}.request`, { ...request, timeout })
  if (signal?.aborted === true) withdraw()
  signal?.addEventListener("abort", withdraw, { once: true })
  await hasAnswer
  signal?.removeEventListener("abort", withdraw)
  const answer = JSON.parse(readFileSync(response, "utf8"))
  unlinkSync(response)
  return { ...answer, accepted: answer.action === "accept" }
}

/**
 * Finds a number that no other program of this call has used.
 * @param {string} slot
 * @returns {string}
 */
function claim(slot) {
  for (;;) {
    const base = `${slot}.js${++questionCount}`
    try {
      writeFileSync(`${base}.claim`, "", { flag: "wx", mode: 0o600 })
      return base
    } catch (failure) {
      if (/** @type {NodeJS.ErrnoException} */ (failure).code !== "EEXIST") throw failure
    }
  }
}

/**
 * Resolves when the file is there. The folder is watched; looking once a second as well costs nothing.
 * @param {string} path
 * @returns {Promise<void>}
 */
function waitForFile(path) {
  return new Promise((resolve) => {
    const checkFile = () => {
      if (!existsSync(path)) return
      clearInterval(timer)
      watcher?.close()
      resolve()
    }
    const timer = setInterval(checkFile, checkMs)
    const watcher = watchFolder(dirname(path), checkFile)
  })
}

/**
 * @param {string} folder
 * @param {() => void} onChange
 */
function watchFolder(folder, onChange) {
  try {
    // A watcher that breaks is replaced by the timer.
    return watch(folder, onChange).on("error", () => {})
  } catch {
    return undefined
  }
}

/**
 * Writes a file that appears whole or not at all.
 * @param {string} path
 * @param {JsonObject} value
 */
function put(path, value) {
  const temporary = `${path}.tmp${randomUUID()}`
  writeFileSync(temporary, JSON.stringify(value), { mode: 0o600 })
  renameSync(temporary, path)
}

/**
 * @param {string} message
 * @param {JsonObject} schema
 * @param {AskOptions & { field?: string, required?: boolean } & JsonObject} options
 * @returns {Promise<Answer>}
 */
function askField(message, schema, { field = "value", required = true, timeout, signal, ...rules }) {
  const options = { ...(timeout === undefined ? {} : { timeout }), ...(signal === undefined ? {} : { signal }) }
  return askForm(message, { [field]: { ...schema, ...rules } }, { optional: required ? [] : [field], ...options })
}

/**
 * @param {Choices} choices
 * @param {"oneOf" | "anyOf"} keyword
 * @returns {JsonObject}
 */
function toValueSchema(choices, keyword) {
  const entries = Array.isArray(choices) ? choices : Object.entries(choices)
  if (entries.every((entry) => typeof entry === "string")) return { enum: entries }
  const pairs = entries.map((entry) => (typeof entry === "string" ? [entry, entry] : entry))
  return { [keyword]: pairs.map(([value, title]) => ({ const: value, title })) }
}

/**
 * @param {string} name
 * @returns {Record<string, any>}
 */
function payload(name) {
  const path = process.env[`${name}_FILE`]
  const json = path !== undefined && existsSync(path) ? readFileSync(path, "utf8") : process.env[`${name}_JSON`]
  return JSON.parse(json || "{}")
}

/**
 * @param {string} variable
 * @param {string} method
 * @param {JsonObject} params
 */
function append(variable, method, params) {
  const path = process.env[variable]
  // One write to a file opened for appending: lines of several programs stay whole.
  if (path) appendFileSync(path, `${JSON.stringify({ jsonrpc: "2.0", method, params })}\n`, { mode: 0o600 })
}

/** @param {JsonObject} value */
function printLast(value) {
  // @ts-expect-error: Not declared. Otherwise the end of a long text is lost with the program.
  process.stdout._handle?.setBlocking?.(true)
  process.stdout.write(`${JSON.stringify(value)}\n`)
  return process.exit(0)
}

/** @param {string} words */
const text = (words) => ({ type: "text", text: words })
