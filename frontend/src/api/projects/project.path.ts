/** The page of a project. */
export const projectPath = (code: string): string => `/projects?project=${encodeURIComponent(code)}`;
