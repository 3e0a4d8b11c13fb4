// Builders for JSON Schema with static types: clients get the schema, and TypeScript infers the type of its values.

export interface Schema<T> {
  readonly json: Json
  /** Never set at run time: this field only carries the static type of the values. */
  readonly type?: T
  readonly isOptional?: boolean
}

export type Json = Readonly<Record<string, unknown>>
export type Of<S> = S extends Schema<infer T> ? T : never

type Shape = Readonly<Record<string, Schema<unknown>>>
type OptionalKeys<P extends Shape> = { [K in keyof P]: P[K] extends { isOptional: true } ? K : never }[keyof P]
export type ObjectOf<P extends Shape> = {
  readonly [K in Exclude<keyof P, OptionalKeys<P>>]: Of<P[K]>
} & { readonly [K in OptionalKeys<P>]?: Of<P[K]> | undefined }

export type Optional<T> = Schema<T> & { readonly isOptional: true }
export type ObjectSchema<T> = Schema<T> & { readonly properties: Shape }

interface TextLimits {
  readonly least?: number
  readonly most?: number
  readonly format?: string
  readonly pattern?: string
}

export const text = (description?: string, { least, most, format, pattern }: TextLimits = {}): Schema<string> => ({
  json: { type: "string", ...withoutUndefined({ description, minLength: least, maxLength: most, format, pattern }) },
})

interface NumberLimits {
  readonly least?: number
  readonly most?: number
  readonly usual?: number
}

export const integer = (description?: string, { least, most, usual }: NumberLimits = {}): Schema<number> => ({
  json: { type: "integer", ...withoutUndefined({ description, minimum: least, maximum: most, default: usual }) },
})

export const number = (description?: string, { least, most, usual }: NumberLimits = {}): Schema<number> => ({
  json: { type: "number", ...withoutUndefined({ description, minimum: least, maximum: most, default: usual }) },
})

export const flag = (description?: string): Schema<boolean> => ({
  json: { type: "boolean", ...withoutUndefined({ description }) },
})

export const oneOf = <const V extends string>(values: readonly V[], description?: string): Schema<V> => ({
  json: { type: "string", enum: values, ...withoutUndefined({ description }) },
})

export const list = <T>(item: Schema<T>, description?: string, maxItems?: number): Schema<readonly T[]> => ({
  json: { type: "array", items: item.json, ...withoutUndefined({ description, maxItems }) },
})

/** An object with members of any name. */
export const record = <T>(value: Schema<T>, description?: string): Schema<Readonly<Record<string, T>>> => ({
  json: { type: "object", additionalProperties: value.json, ...withoutUndefined({ description }) },
})

/** Any JSON value, for example a table cell. */
export const anyValue = (description?: string): Schema<unknown> => ({ json: withoutUndefined({ description }) })

export const nullable = <T>({ json }: Schema<T>): Schema<T | null> => ({
  json: { ...json, type: [json.type, "null"] },
})

export const optional = <T>({ json }: Schema<T>): Optional<T> => ({ json, isOptional: true })

export function object<const P extends Shape>(properties: P, description?: string): ObjectSchema<ObjectOf<P>> {
  const entries = Object.entries(properties)
  const requiredNames = entries.filter(([, schema]) => schema.isOptional !== true).map(([name]) => name)
  return {
    properties,
    json: {
      type: "object",
      properties: Object.fromEntries(entries.map(([name, schema]) => [name, schema.json])),
      ...(requiredNames.length === 0 ? {} : { required: requiredNames }),
      ...withoutUndefined({ description }),
    },
  }
}

/** Removes undefined members. */
function withoutUndefined(members: Readonly<Record<string, unknown>>): Json {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined))
}
