// Look up names that come from outside: a link, a trace, a model's files, a message of another page.

/**
 * The value of `name` in a record; undefined if the record itself has none. A plain `record[name]` would find what
 * every object inherits under names such as "constructor".
 * @template Value
 * @param {Readonly<Record<string, Value>> | Partial<Record<string, Value>> | null | undefined} record
 * @param {string | null | undefined} name
 * @returns {Value | undefined}
 */
export function valueIn(record, name) {
  return record && typeof name === "string" && Object.hasOwn(record, name) ? record[name] : undefined;
}
