const places = new WeakSet<ArrayBufferLike>();

/** Memory that many reads use one after the other: what is in it is lent until the next read. */
export const lentPlace = (bytes: number): Buffer => {
  const place = Buffer.allocUnsafeSlow(bytes);
  places.add(place.buffer);
  return place;
};

/** True for bytes that have to be copied by everybody who needs them later. */
export const isLent = ({ buffer }: Uint8Array): boolean => places.has(buffer);
