// The kinds of values that settings have: how each is read from the file, and from text.

import { isObject } from "@holdpoint/hub/internal"
import { toMilliseconds } from "./duration.ts"

export type Value = string | number | boolean | readonly unknown[] | Readonly<Record<string, unknown>>

/** The functions return undefined when the value is of another kind. */
export interface Kind {
  readonly expected: string
  readonly fromFile: (value: unknown) => Value | undefined
  readonly fromText: (text: string) => Value | undefined
}

const isText = (value: unknown): value is string => typeof value === "string" && value.trim() !== ""
const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) >= 0

export const text: Kind = {
  expected: "text",
  fromFile: (value) => (isText(value) ? value : undefined),
  fromText: (value) => (isText(value) ? value : undefined),
}

export const list: Kind = {
  expected: "a list of text",
  fromFile: (value) => (Array.isArray(value) && value.every(isText) ? value : undefined),
  fromText: (value) => value.split(",").flatMap((part) => part.trim() || []),
}

export const count: Kind = {
  expected: "a whole number",
  fromFile: (value) => (isCount(value) ? value : undefined),
  fromText: (value) => (/^\d{1,15}$/.test(value) ? Number(value) : undefined),
}

export const port: Kind = {
  expected: "a whole number of at most 65535",
  fromFile: (value) => (isCount(value) && value <= 65_535 ? value : undefined),
  fromText: (value) => port.fromFile(count.fromText(value)),
}

export const time: Kind = {
  expected: "whole milliseconds, or text such as 30s, 5m, 2h or 7d",
  fromFile: (value) => (isCount(value) ? value : isText(value) ? toMilliseconds(value) : undefined),
  fromText: (value) => count.fromText(value) ?? toMilliseconds(value),
}

export const yesNo: Kind = {
  expected: "true or false",
  fromFile: (value) => (typeof value === "boolean" ? value : undefined),
  fromText: (value) => (/^(true|1|yes)$/i.test(value) ? true : /^(false|0|no)$/i.test(value) ? false : undefined),
}

export const logFormats = ["text", "json", "off"]

export const logFormat: Kind = {
  expected: "text, json or off",
  fromFile: (value) => (logFormats.includes(String(value)) ? String(value) : undefined),
  fromText: (value) => (logFormats.includes(value) ? value : undefined),
}

/** Can be set only in the file. The content is checked where it is used. */
export const listInFile: Kind = {
  expected: "a list, in the file",
  fromFile: (value) => (Array.isArray(value) ? value : undefined),
  fromText: () => undefined,
}

export const objectInFile: Kind = {
  expected: "an object, in the file",
  fromFile: (value) => (isObject(value) ? { ...value } : undefined),
  fromText: () => undefined,
}
