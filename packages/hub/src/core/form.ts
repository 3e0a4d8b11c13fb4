// The form subset: MCP's requestedSchema as readonly data, with short constructors. A form is plain JSON. Constructors
// only build; compile.ts validates every form.

export const formats = ["email", "uri", "date", "date-time"] as const

export type Format = (typeof formats)[number]

interface Labels {
  readonly title?: string
  readonly description?: string
}

export interface TextField extends Labels {
  readonly type: "string"
  readonly minLength?: number
  readonly maxLength?: number
  readonly format?: Format
  readonly default?: string
}

export interface NumberField extends Labels {
  readonly type: "number" | "integer"
  readonly minimum?: number
  readonly maximum?: number
  readonly default?: number
}

export interface BooleanField extends Labels {
  readonly type: "boolean"
  readonly default?: boolean
}

export interface ChoiceField<V extends string = string> extends Labels {
  readonly type: "string"
  readonly enum: readonly V[]
  readonly default?: V
}

/** Titles as MCP had them before SEP-1330: `enumNames[i]` is the title of `enum[i]`. */
export interface LegacyChoiceField<V extends string = string> extends ChoiceField<V> {
  readonly enumNames: readonly string[]
}

/** One thing that can be chosen: its value, and its title for people. */
export interface Option<V extends string = string> {
  readonly const: V
  readonly title: string
}

export interface TitledChoiceField<V extends string = string> extends Labels {
  readonly type: "string"
  readonly oneOf: readonly Option<V>[]
  readonly default?: V
}

interface ChoicesBase<V extends string> extends Labels {
  readonly type: "array"
  readonly minItems?: number
  readonly maxItems?: number
  readonly default?: readonly V[]
}

export interface ChoicesField<V extends string = string> extends ChoicesBase<V> {
  readonly items: { readonly type: "string"; readonly enum: readonly V[] }
}

export interface TitledChoicesField<V extends string = string> extends ChoicesBase<V> {
  readonly items: { readonly anyOf: readonly Option<V>[] }
}

/** One field of a form, in any of the shapes that MCP knows. */
export type Field =
  | TextField
  | NumberField
  | BooleanField
  | ChoiceField
  | LegacyChoiceField
  | TitledChoiceField
  | ChoicesField
  | TitledChoicesField

export type Fields = Readonly<Record<string, Field>>

/** The answer to a form: values by the name of their field. */
export type Content = Readonly<Record<string, string | number | boolean | readonly string[]>>

declare const content: unique symbol

/** A flat form as JSON Schema. The type parameter is the type of its answer. */
export interface Form<C extends Content = Content> {
  readonly type: "object"
  readonly properties: Fields
  readonly required?: readonly string[]
  /** For TypeScript only, which infers the type of the answer from it: at run time, no form has this property. */
  readonly [content]?: C
}

/** The content that answers a form: `ContentOf<typeof myForm>`. */
export type ContentOf<F extends Form> = F extends Form<infer C> ? C : never

export type ContentOfFields<P extends Fields, Optional extends keyof P> = Flat<
  { readonly [K in Exclude<keyof P, Optional>]: ValueOf<P[K]> } & { readonly [K in Optional]?: ValueOf<P[K]> }
>

type Flat<T> = { [K in keyof T]: T[K] }
type ValueOf<T extends Field> = T extends BooleanField
  ? boolean
  : T extends NumberField
    ? number
    : T extends ChoicesField<infer V> | TitledChoicesField<infer V>
      ? readonly V[]
      : T extends ChoiceField<infer V> | TitledChoiceField<infer V>
        ? V
        : string

/** The kind of control that a person fills in. */
export type Kind = "text" | "number" | "integer" | "boolean" | "choice" | "choices"

export const formLimits = {
  fields: 50,
  /** In Unicode code points, like `title`, `description` and `option`. `fields` and `options` are counts. */
  name: 100,
  title: 200,
  description: 2_000,
  options: 500,
  option: 200,
  /** The largest form, and the largest answer, as UTF-8 JSON. */
  bytes: 65_536,
} as const

/**
 * Makes a form. Every field is required except those in `optional`. The form is frozen, so that it is compiled only
 * once.
 */
export function form<P extends Fields, const Optional extends keyof P & string = never>(
  properties: P,
  options: { readonly optional?: readonly Optional[] } = {},
): Form<ContentOfFields<P, Optional>> {
  const optional: readonly string[] = options.optional ?? []
  const required = Object.keys(properties).filter((name) => !optional.includes(name))
  for (const field of Object.values(properties)) Object.freeze(field)
  return Object.freeze({
    type: "object",
    properties: Object.freeze({ ...properties }),
    ...(required.length > 0 && { required: Object.freeze(required) }),
  })
}

/** A field for a line of text. */
export function text(options: Omit<TextField, "type" | "format"> = {}): TextField {
  return { type: "string", ...options }
}

/** A field for an e-mail address. */
export function email(options: Omit<TextField, "type" | "format"> = {}): TextField {
  return { type: "string", format: "email", ...options }
}

/** A field for a web address. */
export function uri(options: Omit<TextField, "type" | "format"> = {}): TextField {
  return { type: "string", format: "uri", ...options }
}

/** A field for a date, such as 2026-01-31. */
export function date(options: Labels & { readonly default?: string } = {}): TextField {
  return { type: "string", format: "date", ...options }
}

/** A field for a date with a time, such as 2026-01-31T09:30:00Z. */
export function dateTime(options: Labels & { readonly default?: string } = {}): TextField {
  return { type: "string", format: "date-time", ...options }
}

/** A field for a number. */
export function number(options: Omit<NumberField, "type"> = {}): NumberField {
  return { type: "number", ...options }
}

/** A field for a whole number. */
export function integer(options: Omit<NumberField, "type"> = {}): NumberField {
  return { type: "integer", ...options }
}

/** A field that is either true or false. */
export function yesNo(options: Omit<BooleanField, "type"> = {}): BooleanField {
  return { type: "boolean", ...options }
}

/** One of several: `["free", "pro"]`, or `{ free: "Free plan", pro: "Pro plan" }` to give each a title. */
export function choice<const V extends string>(
  values: readonly V[],
  options?: Omit<ChoiceField<NoInfer<V>>, "type" | "enum">,
): ChoiceField<V>
export function choice<V extends string>(
  titles: Readonly<Record<V, string>>,
  options?: Omit<TitledChoiceField<NoInfer<V>>, "type" | "oneOf">,
): TitledChoiceField<V>
export function choice(
  values: readonly string[] | Readonly<Record<string, string>>,
  options: Labels & { readonly default?: string } = {},
): ChoiceField | TitledChoiceField {
  return isList(values)
    ? { type: "string", enum: values, ...options }
    : { type: "string", oneOf: toOptions(values), ...options }
}

/** Any number of several; written like `choice`. */
export function choices<const V extends string>(
  values: readonly V[],
  options?: Omit<ChoicesField<NoInfer<V>>, "type" | "items">,
): ChoicesField<V>
export function choices<V extends string>(
  titles: Readonly<Record<V, string>>,
  options?: Omit<TitledChoicesField<NoInfer<V>>, "type" | "items">,
): TitledChoicesField<V>
export function choices(
  values: readonly string[] | Readonly<Record<string, string>>,
  options: Omit<ChoicesBase<string>, "type"> = {},
): ChoicesField | TitledChoicesField {
  return isList(values)
    ? { type: "array", items: { type: "string", enum: values }, ...options }
    : { type: "array", items: { anyOf: toOptions(values) }, ...options }
}

/** What kind of input a field needs. */
export function kindOf(field: Field): Kind {
  if (field.type === "array") return "choices"
  if (field.type !== "string") return field.type
  return "enum" in field || "oneOf" in field ? "choice" : "text"
}

/** The options of a choice in any of its five shapes; undefined for other fields. */
export function optionsOf(field: Field): readonly Option[] | undefined {
  if (field.type === "array") return "anyOf" in field.items ? field.items.anyOf : toUntitledOptions(field.items.enum)
  if ("oneOf" in field) return field.oneOf
  if ("enumNames" in field)
    return field.enum.map((value, index) => ({ const: value, title: field.enumNames[index] ?? value }))
  return "enum" in field ? toUntitledOptions(field.enum) : undefined
}

/** The initial content of a form on screen. An answer that lacks a field does not get its default. */
export function withDefaults(form: Form): Content {
  return Object.fromEntries(
    Object.entries(form.properties).flatMap(([name, field]) =>
      field.default === undefined ? [] : [[name, field.default]],
    ),
  )
}

function toUntitledOptions(values: readonly string[]): readonly Option[] {
  return values.map((value) => ({ const: value, title: value }))
}

function toOptions(titles: Readonly<Record<string, string>>): readonly Option[] {
  return Object.entries(titles).map(([value, title]) => ({ const: value, title }))
}

function isList(values: readonly string[] | Readonly<Record<string, string>>): values is readonly string[] {
  return Array.isArray(values)
}
