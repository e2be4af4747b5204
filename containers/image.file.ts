import dockerignore from '@balena/dockerignore';
import { Copy, DockerfileParser, Env, From, Instruction, JSONInstruction } from 'dockerfile-ast';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The repository's root, which is also the build context. */
export const root = join(__dirname, '..');

/** One instruction that creates files. Paths of `copy` are those in the Dockerfile. */
export type Step =
  | { kind: 'copy'; from: string | null; owner: string | null; sources: string[]; target: string }
  | { kind: 'run'; command: string };

/** One stage of the Dockerfile: `base` is an image or an earlier stage. */
export interface Stage {
  name: string;
  base: string;
  workdir: string;
  environment: Record<string, string>;
  user: string | null;
  ports: number[];
  steps: Step[];
  health: string[] | null;
  command: string[] | null;
}

/** The stages of the Dockerfile in order. Throws on an unknown instruction. */
export function readDockerfile(): Stage[] {
  const file = DockerfileParser.parse(readFileSync(join(root, 'Dockerfile'), 'utf8'));
  const args = new Map(
    file.getInitialARGs().map((arg) => {
      const property = arg.getProperty();
      return [property?.getName() ?? '', property?.getValue() ?? ''];
    }),
  );
  const expand = (value: string) =>
    value.replace(/\$\{(\w+)\}/g, (_, name: string) => args.get(name) ?? `\${${name}}`);
  const stages: Stage[] = [];
  for (const instruction of file.getInstructions()) {
    if (instruction instanceof From) {
      stages.push(stageOf(instruction, expand, stages));
    } else if (stages.length > 0) {
      take(stages.at(-1) as Stage, instruction);
    }
  }
  return stages;
}

function stageOf(from: From, expand: (value: string) => string, before: Stage[]): Stage {
  const base = expand(from.getImage() ?? '');
  const parent = before.find(({ name }) => name === base);
  return {
    name: from.getBuildStage() ?? `stage ${before.length}`,
    base,
    workdir: parent?.workdir ?? '/',
    environment: { ...parent?.environment },
    user: parent?.user ?? null,
    ports: [],
    steps: [],
    health: null,
    command: null,
  };
}

function take(stage: Stage, instruction: Instruction): void {
  const words = instruction.getArguments().map((argument) => argument.getValue());
  const content = instruction.getArgumentsContent() ?? '';
  switch (instruction.getKeyword()) {
    case 'WORKDIR':
      stage.workdir = words[0] as string;
      return;
    case 'ENV':
      for (const property of (instruction as Env).getProperties()) {
        stage.environment[property.getName()] = property.getValue() ?? '';
      }
      return;
    case 'USER':
      stage.user = words[0] as string;
      return;
    case 'EXPOSE':
      stage.ports.push(...words.map(Number));
      return;
    case 'RUN':
      stage.steps.push({ kind: 'run', command: content });
      return;
    case 'COPY': {
      const flags = (instruction as Copy).getFlags();
      const flag = (name: string) => flags.find((each) => each.getName() === name)?.getValue() ?? null;
      stage.steps.push({
        kind: 'copy',
        from: flag('from'),
        owner: flag('chown'),
        sources: words.slice(0, -1),
        target: words.at(-1) as string,
      });
      return;
    }
    case 'HEALTHCHECK':
      stage.health = JSON.parse(content.replace(/^CMD\s+/, '')) as string[];
      return;
    case 'CMD':
      stage.command = (instruction as JSONInstruction).getJSONStrings().map((word) => word.getJSONValue());
      return;
    default:
      throw new Error(`the Dockerfile's ${instruction.getKeyword()} is not understood by its test`);
  }
}

/** Whether `.dockerignore` excludes that path of the repository. */
export function contextFilter(): (path: string) => boolean {
  const rules = readFileSync(join(root, '.dockerignore'), 'utf8');
  const filter = dockerignore().add(rules);
  return (path) => filter.ignores(path);
}
