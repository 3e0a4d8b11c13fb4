// The seam between the one SQL implementation and an engine. An engine runs text and knows transactions and wake-ups;
// it knows nothing of elicitations.

export type Value = string | number | null
export type Row = Readonly<Record<string, unknown>>
export type Sql = (text: string, values: readonly Value[]) => Promise<readonly Row[]>

export interface Statement {
  readonly text: string
  readonly values: readonly Value[]
}

export interface Database {
  readonly dialect: Dialect
  /** Reads what is committed. */
  readonly query: Sql
  /**
   * Runs the statements as one durable transaction that no other writer overlaps, then wakes other processes. Resolves
   * with the rows of each. Rejects with a HoldpointError, having changed nothing unless the connection broke.
   */
  commit(statements: readonly Statement[]): Promise<readonly (readonly Row[])[]>
  /** Runs with every other process locked out, as one transaction: for migrations. */
  exclusively(work: (sql: Sql) => Promise<void>): Promise<void>
  /** Calls back after another process has committed, and after a time in which that could have been missed. */
  onForeignCommit(callback: () => void): () => void
  close(): Promise<void>
}

/** Where the two engines' SQL differs. `rows` turns a JSON array of objects into rows with one column, `value`. */
export interface Dialect {
  /** Put before every table name, with its dot. */
  readonly schema: string
  readonly identity: string
  readonly rows: (parameter: string, alias: string) => string
  readonly nestedRows: (value: string, member: string, alias: string) => string
}
