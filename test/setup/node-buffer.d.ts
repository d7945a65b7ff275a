// Methods of Node's Buffer that its published types leave out.

interface Buffer {
  latin1Write(text: string, offset?: number, length?: number): number;
  utf8Write(text: string, offset?: number, length?: number): number;
  base64urlSlice(start?: number, end?: number): string;
}
