// Composable checks of JSON values. A fault has Slack's format: a description and a JSON pointer. Pure.

/** Checks one value, and adds its faults to the list. */
export type Check = (value: unknown, at: string, faults: string[]) => void

export type Fields = Readonly<Record<string, unknown>>

export const note = (faults: string[], words: string, at: string): void => {
  faults.push(`${words} [json-pointer:${at}]`)
}

export function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value)
}

/** A text of `min` to `max` characters. */
export function text(max: number, min = 0): Check {
  return (value, at, faults) => {
    if (typeof value !== "string") return note(faults, "must be a string", at)
    if (value.length > max) note(faults, `must be less than ${max + 1} characters`, at)
    if (value.length < min) note(faults, `must be more than ${min - 1} characters`, at)
  }
}

/** A text of a certain form. */
export function formed(pattern: RegExp, words: string): Check {
  return (value, at, faults) => {
    if (typeof value !== "string" || !pattern.test(value)) note(faults, words, at)
  }
}

/** An absolute http or https address. */
export function url(max: number): Check {
  return (value, at, faults) => {
    text(max, 1)(value, at, faults)
    const isWeb = typeof value === "string" && URL.canParse(value) && /^https?:$/.test(new URL(value).protocol)
    if (!isWeb) note(faults, "must be a valid URL", at)
  }
}

export function integer(min: number, max: number): Check {
  return (value, at, faults) => {
    if (!Number.isInteger(value)) return note(faults, "must be an integer", at)
    if (Number(value) < min) note(faults, `must be at least ${min}`, at)
    if (Number(value) > max) note(faults, `must be at most ${max}`, at)
  }
}

export const flag: Check = (value, at, faults) => {
  if (typeof value !== "boolean") note(faults, "must be a boolean", at)
}

export const anything: Check = () => {}

export function oneOf(...words: readonly string[]): Check {
  return (value, at, faults) => {
    if (!words.includes(value as string)) note(faults, `must be one of: ${words.join(", ")}`, at)
  }
}

export function list(item: Check, most: number, least = 1): Check {
  return (value, at, faults) => {
    if (!Array.isArray(value)) return note(faults, "must be an array", at)
    if (value.length > most) note(faults, `no more than ${most} items allowed`, at)
    if (value.length < least) note(faults, `must contain at least ${least} item${least === 1 ? "" : "s"}`, at)
    for (const [index, one] of value.entries()) item(one, `${at}/${index}`, faults)
  }
}

/** An object with these members and no others. `and` checks the members together. */
export function shape(
  required: Readonly<Record<string, Check>>,
  optional: Readonly<Record<string, Check>> = {},
  and: (fields: Fields, at: string, faults: string[]) => void = () => {},
): Check {
  return (value, at, faults) => {
    if (!isFields(value)) return note(faults, "must be an object", at)
    for (const [name, check] of Object.entries(required)) {
      if (value[name] === undefined) note(faults, `missing required field: ${name}`, at)
      else check(value[name], `${at}/${name}`, faults)
    }
    for (const [name, check] of Object.entries(optional)) {
      if (value[name] !== undefined) check(value[name], `${at}/${name}`, faults)
    }
    for (const name of Object.keys(value)) {
      if (!(name in required) && !(name in optional)) note(faults, `invalid additional property: ${name}`, at)
    }
    and(value, at, faults)
  }
}

/** An object whose `type` chooses among these checks. */
export function typed(checks: Readonly<Record<string, Check>>): Check {
  return (value, at, faults) => {
    if (!isFields(value)) return note(faults, "must be an object", at)
    const check = typeof value.type === "string" && Object.hasOwn(checks, value.type) ? checks[value.type] : undefined
    if (check === undefined) return note(faults, `unsupported type: ${String(value.type)}`, `${at}/type`)
    check(value, at, faults)
  }
}
