// Zod otherwise tests whether it may compile code, which the page's policy reports. Must run before zod is loaded.
Object.assign(globalThis, { __zod_globalConfig: { jitless: true } });
