import { defaultAppearance, type Appearance } from '@orange-id/contract/appearance';
import { isRecord } from './is.record';

/** Whether the value has the shape of an appearance. The service has checked the values of those it sends. */
export const isAppearance = (value: unknown): value is Appearance => hasShapeOf(value, defaultAppearance);

function hasShapeOf(value: unknown, example: unknown): boolean {
  if (Array.isArray(example)) return Array.isArray(value) && value.every((each) => typeof each === 'string');
  if (!isRecord(example)) return typeof value === typeof example;
  return isRecord(value) && Object.keys(example).every((name) => hasShapeOf(value[name], example[name]));
}
