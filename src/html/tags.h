/*
 * The elements that somebody asks about; any other is SL_HTML_OTHER and has
 * its name. Sorted by name: the reader looks them up by halving.
 */
#ifndef SL_HTML_TAGS_H
#define SL_HTML_TAGS_H

#define SL_HTML_TAGS(X)                                                       \
    X(A, "a") X(ABBR, "abbr") X(ADDRESS, "address") X(ARTICLE, "article")     \
    X(ASIDE, "aside") X(B, "b") X(BLOCKQUOTE, "blockquote") X(BODY, "body")   \
    X(BR, "br") X(BUTTON, "button") X(CAPTION, "caption") X(CENTER, "center") \
    X(CITE, "cite") X(CODE, "code") X(COL, "col") X(COLGROUP, "colgroup")     \
    X(DD, "dd") X(DEL, "del") X(DETAILS, "details") X(DFN, "dfn")             \
    X(DIALOG, "dialog") X(DIV, "div") X(DL, "dl") X(DT, "dt") X(EM, "em")     \
    X(FIELDSET, "fieldset") X(FIGCAPTION, "figcaption") X(FIGURE, "figure")   \
    X(FOOTER, "footer") X(FORM, "form") X(H1, "h1") X(H2, "h2") X(H3, "h3")   \
    X(H4, "h4") X(H5, "h5") X(H6, "h6") X(HEAD, "head") X(HEADER, "header")   \
    X(HR, "hr") X(HTML, "html") X(I, "i") X(IFRAME, "iframe") X(IMG, "img")   \
    X(INPUT, "input") X(INS, "ins") X(KBD, "kbd") X(LABEL, "label")           \
    X(LI, "li") X(LINK, "link")                                               \
    X(MAIN, "main") X(META, "meta") X(NAV, "nav") X(NOSCRIPT, "noscript")     \
    X(OBJECT, "object") X(OL, "ol") X(P, "p") X(PRE, "pre") X(Q, "q")         \
    X(S, "s") X(SAMP, "samp") X(SCRIPT, "script") X(SECTION, "section")       \
    X(SELECT, "select") X(SMALL, "small") X(SPAN, "span")                     \
    X(STRIKE, "strike") X(STRONG, "strong") X(STYLE, "style") X(SUB, "sub")   \
    X(SUMMARY, "summary") X(SUP, "sup") X(SVG, "svg") X(TABLE, "table")       \
    X(TBODY, "tbody") X(TD, "td") X(TEMPLATE, "template")                     \
    X(TEXTAREA, "textarea") X(TFOOT, "tfoot") X(TH, "th") X(THEAD, "thead")   \
    X(TITLE, "title") X(TR, "tr") X(TT, "tt") X(U, "u") X(UL, "ul")           \
    X(VAR, "var") X(WBR, "wbr")

#define SL_HTML_TAG_NAME(id, name) SL_HTML_##id,
enum sl_html_tag {
    SL_HTML_TEXT, /* no element: its bytes are in node.text */
    SL_HTML_OTHER,
    SL_HTML_TAGS(SL_HTML_TAG_NAME) SL_HTML_TAG_COUNT
};
#undef SL_HTML_TAG_NAME

#endif
