// Values that came as JSON from outside, of which nothing is known yet. Pure.

export type Json = Readonly<Record<string, unknown>>

/** Whether the value is an object with members: neither null nor a list. */
export const isObject = (value: unknown): value is Json =>
  typeof value === "object" && value !== null && !Array.isArray(value)
