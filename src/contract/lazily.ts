/**
 * A schema that is made when it is first asked for: of all that are loaded together, a command needs
 * the one of its body.
 */
export function lazily<Schema>(make: () => Schema): () => Schema {
  let made: { schema: Schema } | undefined;
  return () => {
    made ??= { schema: make() };
    return made.schema;
  };
}
