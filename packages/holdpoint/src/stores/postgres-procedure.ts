// Turns statements into one temporary function of the session: a call is one transaction and one round trip, each
// statement sees the effects of the one before, and the server caches their plans.

import type pg from "pg"
import type { Row, Statement, Value } from "./database.ts"
import { toPlaced } from "./placed.ts"

/** How a function is called, and what its rows mean. */
export interface Procedure {
  readonly call: string
  readonly valuesOf: (statements: readonly Statement[]) => readonly Value[]
  readonly resultsOf: (rows: readonly Row[], statements: readonly Statement[]) => readonly (readonly Row[])[]
}

export interface Procedures {
  /** Returns the function that runs these statements. Creates it if this session does not have it. */
  of(client: pg.Client, statements: readonly Statement[]): Promise<Procedure>
}

export interface ProcedureOptions {
  /** The expressions that every function evaluates before its first and after its last statement. */
  readonly before: string
  readonly after: string
  /** The form of a statement for a single row, whose members are its parameters. */
  readonly loneTexts: ReadonlyMap<string, string>
}

type Definition = Omit<Procedure, "call"> & {
  readonly parameters: readonly string[]
  readonly returns: string
  readonly steps: readonly string[]
  /** Makes the query from the call of the function. */
  readonly query: (call: string) => string
}

/** No function of Postgres has more. */
const mostParameters = 100

export function createProcedures({ before, after, loneTexts }: ProcedureOptions): Procedures {
  const made = new WeakMap<pg.Client, Map<string, Procedure>>()
  const numbers = new Map<string, number>()
  /** A short name of a statement: looking up a joined text would hash kilobytes for every commit. */
  const numberOf = (text: string): number => {
    const number = numbers.get(text) ?? numbers.size
    numbers.set(text, number)
    return number
  }
  return {
    async of(client, statements) {
      const known = made.get(client) ?? new Map<string, Procedure>()
      made.set(client, known)
      const isLone = statements.every(({ rows }) => rows.length === 1)
      const key = `${isLone} ${statements.map(({ text }) => numberOf(text))}`
      const existing = known.get(key)
      if (existing !== undefined) return existing
      const name = `pg_temp.commit_${known.size + 1}`
      const lone = isLone ? toLone(statements, loneTexts) : undefined
      const { parameters, returns, steps, query, ...rest } = lone ?? toMany(statements)
      await client.query(`CREATE FUNCTION ${name}(${parameters.join(", ")})
        RETURNS ${returns} LANGUAGE plpgsql AS $procedure$
        #variable_conflict use_column
        DECLARE entry_position bigint;
        BEGIN
          ${[`PERFORM ${before}`, ...steps, `PERFORM ${after}`].join(";\n")};
          ${lone === undefined ? "" : "RETURN entry_position;"}
        END $procedure$`)
      const values = parameters.map((type, index) => `CAST($${index + 1} AS ${type})`)
      const procedure = { ...rest, call: query(`${name}(${values.join(", ")})`) }
      known.set(key, procedure)
      return procedure
    },
  }
}

/** Each statement gets its input rows as JSON, and the function returns the rows of all of them. */
function toMany(statements: readonly Statement[]): Definition {
  return {
    parameters: statements.map(() => "jsonb"),
    returns: "TABLE (step integer, item jsonb)",
    steps: statements.map(({ text }, index) => {
      const body = text.replaceAll("CAST($1 AS jsonb)", `$${index + 1}`)
      if (!text.includes("RETURNING")) return body
      return `RETURN QUERY WITH done AS (${body}) SELECT ${index}, to_jsonb(done) FROM done`
    }),
    query: (call) => `SELECT step, item FROM ${call}`,
    valuesOf: (all) => all.map(({ rows }) => JSON.stringify(rows)),
    resultsOf: (rows, all) =>
      all.map((_, index) => rows.filter(({ step }) => step === index).map(({ item }) => item as Row)),
  }
}

/**
 * A single write: the function gets the members of its rows, and returns the position of its trail entry. When the
 * statement that decides took no effect, no other one runs, and there is no position.
 */
function toLone(statements: readonly Statement[], loneTexts: ProcedureOptions["loneTexts"]): Definition | undefined {
  const members: (readonly string[])[] = []
  const steps: string[] = []
  for (const { text, gives } of statements) {
    const lone = loneTexts.get(text)
    if (lone === undefined) return undefined
    const placed = toPlaced(lone, "$", members.flat().length)
    members.push(placed.members)
    steps.push(gives === "position" ? `${placed.text} RETURNING position INTO entry_position` : placed.text)
    if (gives === "id") steps.push("IF NOT FOUND THEN RETURN NULL; END IF")
  }
  const parameters = members.flat().map(() => "text")
  if (parameters.length > mostParameters) return undefined
  return {
    parameters,
    returns: "bigint",
    steps,
    query: (call) => `SELECT ${call} AS position`,
    valuesOf: (all) =>
      all.flatMap(({ rows: [row] }, index) => (members[index] ?? []).map((member) => row?.[member] ?? null)),
    resultsOf: ([result], all) => {
      const position = result?.position ?? null
      const given = { id: ({ rows: [row] }: Statement) => ({ id: row?.id }), position: () => ({ position }) }
      return all.map((each) => (position === null || each.gives === undefined ? [] : [given[each.gives](each)]))
    },
  }
}
