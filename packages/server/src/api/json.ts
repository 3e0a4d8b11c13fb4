// Converts objects, people and times from and to JSON, for all bodies of the HTTP API. Pure.

import type { PrincipalId } from "@holdpoint/hub"
import { isObject } from "@holdpoint/hub/internal"
import type { WirePerson } from "@holdpoint/hub/wire"

export function readPerson(value: unknown, tenant: string): PrincipalId | undefined {
  if (!isObject(value) || Object.keys(value).sort().join(" ") !== "issuer subject") return undefined
  const { issuer, subject } = value
  return typeof issuer === "string" && typeof subject === "string" ? { tenant, issuer, subject } : undefined
}

export const toTime = (at: number): string => new Date(at).toISOString()

export const toWirePerson = ({ issuer, subject }: PrincipalId): WirePerson => ({ issuer, subject })
