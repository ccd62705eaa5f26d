"""Words: catalogues, sections, languages, texts made safe to print."""
