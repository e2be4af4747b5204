/**
 * The generated name of a CSS module's class: `name` in `usage.module.css` becomes `usage_name`. File names are unique,
 * so the generated names are too.
 */
export const scopedClass = (name, file) => `${/([^/\\]+)\.module\.css/.exec(file)?.[1]}_${name}`;
