//! Names of character sets, as records have them.

use encoding_rs::Encoding;

/// Names beside those of the Encoding Standard, in small letters and digits alone, and the
/// standard's. Most are of Python's codecs.
const MORE_NAMES: [(&str, &str); 19] = [
    ("utf-8", "utf u8 utf8 utf8ucs2 utf8ucs4 cp65001"),
    (
        "gbk",
        "gb gb2312 gb23121980 gb231280 euccn xeuccn eucgb2312cn chinese csiso58gb231280 isoir58 \
         xmacsimpchinese gbk 936 cp936 ms936 windows936",
    ),
    ("gb18030", "gb18030 gb180302000"),
    ("big5", "big5 big5tw csbig5 xmactradchinese big5hkscs hkscs 950 cp950 ms950 windows950"),
    (
        "shift_jis",
        "shiftjis csshiftjis sjis xsjis xmacjapanese 932 cp932 ms932 mskanji windows31j windows932",
    ),
    ("euc-jp", "eucjp ujis xeucjp"),
    (
        "euc-kr",
        "euckr korean ksc5601 ksc56011987 ksx1001 xmackorean 949 cp949 ms949 uhc windows949",
    ),
    (
        "windows-1252",
        "latin latin1 l1 8859 88591 iso8859 iso88591 iso885911987 isoir100 cp819 ibm819",
    ),
    ("koi8-r", "koi8r cskoi8r"),
    ("koi8-u", "koi8u cskoi8u"),
    ("macintosh", "macroman macintosh mac"),
    ("x-mac-cyrillic", "maccyrillic xmaccyrillic"),
    ("windows-874", "tis620 tis6200 tis62025290 tis62025291 isoir166 thai"),
    ("iso-8859-6", "asmo708 ecma114"),
    ("iso-8859-7", "ecma118 elot928"),
    ("iso-8859-13", "l7 latin7"),
    ("iso-8859-14", "l8 latin8 isoceltic isoir199"),
    ("iso-8859-15", "latin9"),
    ("iso-8859-16", "l10 latin10 isoir226"),
];

/// The character set with this name, whatever stands between its letters and digits, if it is one
/// that shares the ASCII range: no other can name itself.
pub(super) fn named(name: &[u8]) -> Option<&'static Encoding> {
    let letters = name.iter().filter(|byte| byte.is_ascii_alphanumeric());
    let plain: String = letters.map(|byte| char::from(byte.to_ascii_lowercase())).collect();
    let more = MORE_NAMES.iter().find(|(_, names)| names.split(' ').any(|one| one == plain));
    let page = plain.strip_prefix("windows").or(plain.strip_prefix("cp")).unwrap_or(&plain);
    // A part of ISO 8859, which may have its year: iso_8859_2_1987.
    let part = plain.strip_prefix("iso8859").unwrap_or_default();
    let part = if part.len() > 4 { &part[..part.len() - 4] } else { part };
    let number = plain.strip_prefix("isoir").unwrap_or_default();
    let found = Encoding::for_label(name)
        .or_else(|| Encoding::for_label(more?.0.as_bytes()))
        .or_else(|| Encoding::for_label(format!("windows-{page}").as_bytes()))
        .or_else(|| Encoding::for_label(format!("iso-8859-{part}").as_bytes()))
        .or_else(|| Encoding::for_label(format!("iso-ir-{number}").as_bytes()));
    found.filter(|encoding| encoding.is_ascii_compatible())
}
