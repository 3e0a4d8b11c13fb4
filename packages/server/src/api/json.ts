// Converts objects, people and times from and to JSON, for all bodies of the HTTP API. Pure.

import type { PrincipalId } from "@holdpoint/hub"
import type { WirePerson } from "@holdpoint/hub/wire"

export type Json = Readonly<Record<string, unknown>>

export const isJson = (value: unknown): value is Json =>
  typeof value === "object" && value !== null && !Array.isArray(value)

export function readPerson(value: unknown, tenant: string): PrincipalId | undefined {
  if (!isJson(value) || Object.keys(value).sort().join(" ") !== "issuer subject") return undefined
  const { issuer, subject } = value
  return typeof issuer === "string" && typeof subject === "string" ? { tenant, issuer, subject } : undefined
}

export const toTime = (at: number): string => new Date(at).toISOString()

export const toWirePerson = ({ issuer, subject }: PrincipalId): WirePerson => ({ issuer, subject })
