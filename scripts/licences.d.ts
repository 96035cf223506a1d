export declare function writeLicences(file: string, inputs: readonly string[]): Promise<void>
