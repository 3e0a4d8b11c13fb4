// Checks the settings of the section `agents` for callers: origins, API keys and limits.

import { createHash } from "node:crypto"
import { programIssuer } from "./http/api-keys.ts"
import { isObject, type Json } from "./json.ts"
import { type Add, checkMembers, countRule, isCount, isText } from "./section-fields.ts"

export function checkCallers({ origins, apiKeys, limits }: Json, add: Add): void {
  for (const [at, origin] of listOf(origins).entries())
    if (!isOrigin(origin)) add(`agents.origins.${at}`, "must be an origin like https://app.example, without a path")
  const ids = listOf(apiKeys).map((key) => (isObject(key) ? key.id : undefined))
  for (const [at, key] of listOf(apiKeys).entries()) {
    checkKey(isObject(key) ? key : {}, `agents.apiKeys.${at}`, add)
    if (ids.indexOf(ids[at]) !== at) add(`agents.apiKeys.${at}.id`, "is the id of another key")
  }
  if (!isObject(limits)) return
  checkMembers({ value: limits, path: "agents.limits", known: ["runsPerPerson"], add })
  const { runsPerPerson } = limits
  if (runsPerPerson !== undefined && !isCount(runsPerPerson)) add("agents.limits.runsPerPerson", countRule)
}

function checkKey(key: Json, path: string, add: Add): void {
  const { id, sha256, actsFor } = key
  checkMembers({ value: key, path, known: ["id", "sha256", "actsFor"], add })
  if (!isText(id)) add(`${path}.id`, "must be text")
  if (typeof sha256 !== "string" || !/^[0-9a-f]{64}$/i.test(sha256)) add(`${path}.sha256`, digestRule)
  // An operator who hashes an unset shell variable gets this digest. An empty key must not identify a program.
  else if (sha256.toLowerCase() === digestOfNothing) add(`${path}.sha256`, "is the digest of an empty key")
  if (actsFor === undefined) return
  const actsForFields = isObject(actsFor) ? actsFor : {}
  checkMembers({ value: actsForFields, path: `${path}.actsFor`, known: ["issuer", "tenant"], add })
  const { issuer, tenant } = actsForFields
  if (!isText(issuer) || !isText(tenant))
    add(`${path}.actsFor`, "needs `issuer` and `tenant`: those of the people it acts for")
  if (issuer === programIssuer) add(`${path}.actsFor.issuer`, "is the issuer of programs, which are not people")
}

const digestRule = "must be the SHA-256 of the key in hexadecimal: 64 digits"
const digestOfNothing = createHash("sha256").digest("hex")

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

function isOrigin(value: unknown): boolean {
  const url = typeof value === "string" ? URL.parse(value) : null
  return url !== null && /^https?:$/.test(url.protocol) && url.origin === value
}
