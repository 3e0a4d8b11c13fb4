// Turns statements into one temporary function of the session: a call is one transaction and one round trip, each
// statement sees the effects of the one before, and the server caches their plans.

import type pg from "pg"

export interface Procedures {
  /** Returns the SQL call that runs these statements and returns their rows as (step, item). */
  callOf(client: pg.Client, texts: readonly string[]): Promise<string>
}

export function createProcedures(options: { readonly before: string; readonly after: string }): Procedures {
  const made = new WeakMap<pg.Client, Map<string, string>>()
  return {
    async callOf(client, texts) {
      const known = made.get(client) ?? new Map<string, string>()
      made.set(client, known)
      const key = texts.join(";")
      const call = known.get(key)
      if (call !== undefined) return call
      const name = `pg_temp.commit_${known.size + 1}`
      await client.query(toDefinition(name, texts, options))
      known.set(key, toCall(name, texts.length))
      return toCall(name, texts.length)
    },
  }
}

function toDefinition(
  name: string,
  texts: readonly string[],
  { before, after }: { before: string; after: string },
): string {
  const steps = texts.map((text, index) => {
    const body = text.replaceAll("CAST($1 AS jsonb)", `$${index + 1}`)
    if (!text.includes("RETURNING")) return body
    return `RETURN QUERY WITH done AS (${body}) SELECT ${index}, to_jsonb(done) FROM done`
  })
  return `CREATE FUNCTION ${name}(${texts.map(() => "jsonb").join(", ")})
    RETURNS TABLE (step integer, item jsonb) LANGUAGE plpgsql AS $procedure$
    #variable_conflict use_column
    BEGIN
      PERFORM ${[before, ...steps].join(";\n")};
      PERFORM ${after};
    END $procedure$`
}

function toCall(name: string, count: number): string {
  const parameters = Array.from({ length: count }, (_, index) => `CAST($${index + 1} AS jsonb)`)
  return `SELECT step, item FROM ${name}(${parameters.join(", ")})`
}
