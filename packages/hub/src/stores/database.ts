// The interface between the SQL implementation and an engine. An engine runs statements, transactions and
// notifications; it knows nothing about elicitations.

export type Value = string | number | null
export type Row = Readonly<Record<string, unknown>>
export type Sql = (text: string, values: readonly Value[]) => Promise<readonly Row[]>

/** A statement and its input rows. An engine runs it once for all rows or once per row. */
export interface Statement {
  readonly text: string
  readonly rows: readonly InputRow[]
  /**
   * What the statement returns for each row that took effect: its id, or the assigned position. When a row with an id
   * took no effect, rows with its stamp are left out of the following statements.
   */
  readonly resultKind?: "id" | "position"
}

export type InputRow = Readonly<Record<string, Value>>

export interface Database {
  readonly dialect: Dialect
  /** Reads committed data. */
  readonly query: Sql
  /**
   * Runs the statements as one durable transaction that no other writer overlaps, then notifies other processes.
   * Resolves to the result rows of each statement. Rejects without a change, except for `store_unavailable`: then the
   * transaction may have taken effect.
   */
  commit(statements: readonly Statement[]): Promise<readonly (readonly Row[])[]>
  /** Runs the work as one transaction that locks out every other process: for migrations. */
  runExclusively(work: (sql: Sql) => Promise<void>): Promise<void>
  /**
   * Calls back after a commit of another process, and after a time in which such a commit could have been missed.
   * Returns an unsubscribe function.
   */
  onForeignCommit(callback: () => void): () => void
  close(): Promise<void>
}

/** The differences between the SQL of the two engines. */
export interface Dialect {
  /** The prefix of every table name, including its dot. */
  readonly schema: string
  readonly identity: string
  /** The suffix of the definition of a table that is stored in key order. */
  readonly clustered: string
  /** The suffix of a column's type that makes the database order its text by bytes. */
  readonly bytewise: string
  /** A query that returns one row if a table named $1 exists. */
  readonly tableQuery: string
  /**
   * Whether the engine itself reports the rows that took effect, as `resultKind` says, and skips the further rows of a
   * write that took no effect. Otherwise the SQL does both: by RETURNING, and by the stamp that only a winner writes.
   */
  readonly reportsEffects: boolean
  /**
   * Whether an index keeps the open questions of a tenant in order. Without it they are sorted when they are listed,
   * and a question and its answer write one page less each.
   */
  readonly ordersTenants: boolean
  /** The FROM item of all input rows, named r; empty where a statement runs once per row. */
  readonly inputSource: string
  /** An expression for a member of an input row, as text or as an integer. */
  readonly textMember: (member: string) => string
  readonly integerMember: (member: string) => string
  /** A condition that the column's text is in a JSON array of strings. It can use an index with more columns. */
  readonly amongCondition: (column: string, json: string) => string
  /**
   * A condition that the column is in the result of a query. The query runs first, and its results are found by an
   * index.
   */
  readonly inCondition: (column: string, query: string) => string
  /** The FROM item that turns a JSON array of strings into rows with one column, `item`. */
  readonly items: (json: string, alias: string) => string
}
