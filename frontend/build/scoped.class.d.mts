export declare const scopedClass: (name: string, file: string) => string;
