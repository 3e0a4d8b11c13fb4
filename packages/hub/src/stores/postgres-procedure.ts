// Turns statements into one temporary function of the session: a call is one transaction and one round trip, each
// statement sees the effects of the one before, and the server caches their plans.

import type pg from "pg"
import type { Row, Statement, Value } from "./database.ts"
import { toNumbered } from "./numbered-statement.ts"

/** How a function is called, and what its rows mean. */
export interface Procedure {
  readonly call: string
  readonly valuesOf: (statements: readonly Statement[]) => readonly Value[]
  readonly resultsOf: (rows: readonly Row[], statements: readonly Statement[]) => readonly (readonly Row[])[]
}

export interface Procedures {
  /** Returns the function that runs these statements. Creates it if this session does not have it. */
  getProcedure(client: pg.Client, statements: readonly Statement[]): Promise<Procedure>
}

export interface ProcedureOptions {
  /** The expressions that every function evaluates before its first and after its last statement. */
  readonly firstCall: string
  readonly lastCall: string
  /** The single-row form of each statement, by the statement's text. The parameters name the members of the row. */
  readonly singleRowTexts: ReadonlyMap<string, string>
}

type Definition = Omit<Procedure, "call"> & {
  readonly parameters: readonly string[]
  readonly returnType: string
  readonly steps: readonly string[]
  /** Builds the query around the call of the function. */
  readonly query: (call: string) => string
}

/** The most parameters that a function of Postgres may have. */
const mostParameters = 100

export function createProcedures({ firstCall, lastCall, singleRowTexts }: ProcedureOptions): Procedures {
  const proceduresByClient = new WeakMap<pg.Client, Map<string, Procedure>>()
  const numbers = new Map<string, number>()
  /** Returns a number that stands for a statement in keys: hashing its whole text for every commit would be slow. */
  const numberOf = (text: string): number => {
    const number = numbers.get(text) ?? numbers.size
    numbers.set(text, number)
    return number
  }
  return {
    async getProcedure(client, statements) {
      const procedures = proceduresByClient.get(client) ?? new Map<string, Procedure>()
      proceduresByClient.set(client, procedures)
      const isSingleRow = statements.every(({ rows }) => rows.length === 1)
      const key = `${isSingleRow} ${statements.map(({ text }) => numberOf(text))}`
      const existing = procedures.get(key)
      if (existing !== undefined) return existing
      const name = `pg_temp.commit_${procedures.size + 1}`
      const singleRow = isSingleRow ? toSingleRowDefinition(statements, singleRowTexts) : undefined
      const { parameters, returnType, steps, query, ...rest } = singleRow ?? toBatchDefinition(statements)
      await client.query(`CREATE FUNCTION ${name}(${parameters.join(", ")})
        RETURNS ${returnType} LANGUAGE plpgsql AS $procedure$
        #variable_conflict use_column
        DECLARE entry_position bigint;
        BEGIN
          ${[`PERFORM ${firstCall}`, ...steps, `PERFORM ${lastCall}`].join(";\n")};
          ${singleRow === undefined ? "" : "RETURN entry_position;"}
        END $procedure$`)
      const values = parameters.map((type, index) => `CAST($${index + 1} AS ${type})`)
      const procedure = { ...rest, call: query(`${name}(${values.join(", ")})`) }
      procedures.set(key, procedure)
      return procedure
    },
  }
}

/** Defines a function for any number of rows: each statement gets its rows as JSON. Returns all result rows. */
function toBatchDefinition(statements: readonly Statement[]): Definition {
  return {
    parameters: statements.map(() => "jsonb"),
    returnType: "TABLE (step integer, item jsonb)",
    steps: statements.map(({ text }, index) => {
      const body = text.replaceAll("CAST($1 AS jsonb)", `$${index + 1}`)
      if (!text.includes("RETURNING")) return body
      return `RETURN QUERY WITH done AS (${body}) SELECT ${index}, to_jsonb(done) FROM done`
    }),
    query: (call) => `SELECT step, item FROM ${call}`,
    valuesOf: (statementList) => statementList.map(({ rows }) => JSON.stringify(rows)),
    resultsOf: (rows, statementList) =>
      statementList.map((_, index) => rows.filter(({ step }) => step === index).map(({ item }) => item as Row)),
  }
}

/**
 * Defines a function for a single write, whose rows' members are its parameters. That function returns the position of
 * the trail entry, or null when the deciding statement takes no effect. Undefined without a form for a single write.
 */
function toSingleRowDefinition(
  statements: readonly Statement[],
  singleRowTexts: ProcedureOptions["singleRowTexts"],
): Definition | undefined {
  const members: (readonly string[])[] = []
  const steps: string[] = []
  for (const { text, resultKind } of statements) {
    const singleRowText = singleRowTexts.get(text)
    if (singleRowText === undefined) return undefined
    const numberedStatement = toNumbered(singleRowText, "$", members.flat().length)
    members.push(numberedStatement.members)
    steps.push(
      resultKind === "position"
        ? `${numberedStatement.text} RETURNING position INTO entry_position`
        : numberedStatement.text,
    )
    if (resultKind === "id") steps.push("IF NOT FOUND THEN RETURN NULL; END IF")
  }
  const parameters = members.flat().map(() => "text")
  if (parameters.length > mostParameters) return undefined
  return {
    parameters,
    returnType: "bigint",
    steps,
    query: (call) => `SELECT ${call} AS position`,
    valuesOf: (statementList) =>
      statementList.flatMap(({ rows: [row] }, index) => (members[index] ?? []).map((member) => row?.[member] ?? null)),
    resultsOf: ([result], statementList) => {
      const position = result?.position ?? null
      const toRow = { id: ({ rows: [row] }: Statement) => ({ id: row?.id }), position: () => ({ position }) }
      return statementList.map((statement) =>
        position === null || statement.resultKind === undefined ? [] : [toRow[statement.resultKind](statement)],
      )
    },
  }
}
